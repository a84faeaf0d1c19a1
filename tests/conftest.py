"""Settings for every Python test: the same examples and the same draws at each run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

import oploom as ol

COMMON = settings(
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("repeatable", COMMON, derandomize=True, max_examples=400)
# To search for longer: pytest --hypothesis-profile=long tests/python/test_random_programs.py
settings.register_profile("long", COMMON, max_examples=20_000)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _same_draws() -> Iterator[None]:
    ol.seed(20240229)
    yield
    assert ol.is_grad_enabled(), "the test left gradients switched off"
