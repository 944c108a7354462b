"""Profiles of hypothesis for the whole suite.

`quick`, the default, takes the same few examples in every run; `TJMJ_HYPOTHESIS=full` takes new ones each
time, and many more; `brief`, for `make quick`, takes a third; `mutants` no more, and stops at the first that fails,
however large.
"""

from __future__ import annotations

import os
from collections import Counter

from hypothesis import HealthCheck, Phase, settings

ANY_SPEED = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "quick", max_examples=60, derandomize=True, deadline=None, suppress_health_check=ANY_SPEED
)
settings.register_profile(
    "full", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=ANY_SPEED
)
settings.register_profile("brief", settings.get_profile("quick"), max_examples=20)
settings.register_profile("mutants", settings.get_profile("brief"), phases=[Phase.explicit, Phase.generate])
settings.load_profile(os.environ.get("TJMJ_HYPOTHESIS", "quick"))


def pytest_addoption(parser):
    parser.addoption("--share", type=int, default=1, metavar="N", help="of the cases of each slow test only every N-th")


def pytest_collection_modifyitems(config, items):
    """Leave out what is not asked for.

    Tests in a browser are run where -m names them; elsewhere there need not be one. `--share` is for CI, where
    time is short: cases of a slow test differ in nothing but their random numbers, or in their file.
    """
    seen = Counter()
    kept, left = [], []
    for item in items:
        wanted = not item.get_closest_marker("browser") or "browser" in config.option.markexpr
        if item.get_closest_marker("slow"):
            test = item.nodeid.partition("[")[0]
            wanted = wanted and seen[test] % config.option.share == 0
            seen[test] += 1
        (kept if wanted else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept
