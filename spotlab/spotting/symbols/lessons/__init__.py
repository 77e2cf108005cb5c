"""Learning from pages whose symbols are all labelled: many models of a label used together."""
