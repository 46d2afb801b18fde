"""endplay as a witness."""

import warnings

import pytest

NO_ENDPLAY = "endplay's scorer and parsers are oracles of these tests: pip install endplay"


def oracle(name):
    """A module of endplay, which warns of many things while it is imported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("endplay", reason=NO_ENDPLAY)
        return pytest.importorskip(name, reason=NO_ENDPLAY)
