"""The floor that the table at the end compares with: memory alone, whatever is done with what it gives.

Four random look-ups for each hand, of 4 bytes each and none waiting for another, in a table of 400 KB, in
compiled code: what a scorer from one table entry for each suit would cost if it had nothing to compute and
its keys came for free. Beside it what the package's own look-ups take, keys for free.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from compiled import built, loaded
from deals import MANY

from tjmj import batch
from tjmj.tiles import NEXT

SOURCE = Path(__file__).with_name("floor.pyx")
ENTRIES = 100_000


@pytest.fixture(scope="module")
def floor(tmp_path_factory):
    """floor.pyx, built into a temporary folder."""
    return loaded(built(SOURCE, tmp_path_factory.mktemp("floor")))


@pytest.mark.benchmark(group="floor")
def test_look_ups(timed, floor):
    random = np.random.RandomState(400)
    table = random.randint(0, 2**30, ENTRIES, dtype=np.uint32)
    places = random.randint(0, ENTRIES, (MANY, 4), dtype=np.uint32)
    sums = np.empty(MANY, np.uint32)
    timed("four look-ups in a 400 KB table", MANY, floor.look_up, table, places, sums)
    assert table.nbytes == 400_000
    assert (sums == table[places].sum(axis=1, dtype=np.uint32)).all()


@pytest.mark.benchmark(group="batch")
@pytest.mark.parametrize("kind", ["random", "complete"])
def test_known_keys(timed, floor, kind, request):
    dealt = request.getfixturevalue(f"{kind}_deals")
    keys, wins = known_keys(dealt), np.empty(MANY, np.uint8)
    timed(f"is_win, {kind} hands, keys known", MANY, floor.complete, keys, wins)
    assert (wins == batch.is_win(dealt.counts, dealt.flip)).all()


def known_keys(dealt):
    """(n, 8) base-6 keys of the natural tiles: ranks 1-4 and 5-9 of each suit, winds, dragons."""
    natural, rows = dealt.counts.astype(np.uint32), np.arange(MANY)
    natural[rows, dealt.flip] = natural[rows, np.array(NEXT)[dealt.flip]] = 0
    parts = [(9 * suit + first, 9 * suit + last) for suit in range(3) for first, last in ((0, 4), (4, 9))]
    columns = [natural[:, first:last] for first, last in [*parts, (27, 31), (31, 34)]]
    return np.stack([column @ 6 ** np.arange(column.shape[1], dtype=np.uint32) for column in columns], axis=1)
