"""What tests of the laboratory share with those of studies."""

from tests.studies.conftest import cluster

__all__ = ["cluster"]
