"""Settings for every Python test: the same examples and the same draws at each run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

import oploom as ol

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _same_draws() -> Iterator[None]:
    ol.seed(20240229)
    yield
    assert ol.is_grad_enabled(), "the test left gradients switched off"
