"""The panels of Annotate: labels, region, steps, findings and ink."""
