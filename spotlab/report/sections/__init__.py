"""The sections of the report, one file each; outside packages add theirs."""
