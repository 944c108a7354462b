"""Profiles of hypothesis for the whole suite.

`quick`, the default, takes the same few examples in every run; `TJMJ_HYPOTHESIS=full` takes new ones each
time, and many more.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

ANY_SPEED = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "quick", max_examples=200, derandomize=True, deadline=None, suppress_health_check=ANY_SPEED
)
settings.register_profile(
    "full", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=ANY_SPEED
)
settings.load_profile(os.environ.get("TJMJ_HYPOTHESIS", "quick"))


def pytest_collection_modifyitems(config, items):
    """Tests in a browser are run where -m names them; elsewhere there need not be one."""
    if "browser" in config.option.markexpr:
        return
    left = [item for item in items if item.get_closest_marker("browser")]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
