"""What every test may use: hypothesis profiles, and each engine's twin."""

import os

import pytest
from hypothesis import HealthCheck, settings

from worldwise.engines.trees import BUILT, SWITCH, CompiledTree

settings.register_profile("default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(params=["python", "compiled"], scope="session")
def engine(request):
    """Turns a tree into what a searcher is given: the tree itself, or the tree with compiled passes."""
    if request.param == "python":
        return lambda tree: tree
    request.getfixturevalue("needs_kernels")
    return CompiledTree


@pytest.fixture(params=["python", "compiled"])
def kernels(request, monkeypatch):
    """Runs a test twice: with the kernels switched off, and with them."""
    if request.param == "python":
        monkeypatch.setenv(SWITCH, "off")
    else:
        request.getfixturevalue("needs_kernels")


@pytest.fixture(scope="session")
def needs_kernels():
    """Skips a test where the kernels were not built; where they must be, fails."""
    if not BUILT and os.environ.get("WORLDWISE_REQUIRE_KERNELS"):
        pytest.fail("the compiled kernels must be built here, and were not")
    if not BUILT:
        pytest.skip("the compiled kernels were not built on this machine")
