"""scripts/soak_server.py: a match by clients that do it no good is checked, and what is wrong with one is found."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest
from at_tables import no_faults, quick_disk, run, serving  # noqa: F401, fixtures

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))

import soak_server  # noqa: E402

pytestmark = [pytest.mark.usefixtures("no_faults", "quick_disk"), pytest.mark.process]


CHANGES = {
    "doubled": lambda lines: [*lines, lines[-1]],
    "lost": lambda lines: lines[:-1],
    "changed": lambda lines: [lines[0].replace(b'"net":[', b'"net":[1'), *lines[1:]],
}
"""What may have gone wrong with the lines of a file."""


def test_a_match_is_played_checked_and_removed(tmp_path, monkeypatch):
    """Its file is checked as it is, and with each change, which must be found."""
    check, found = soak_server.check, []

    def checked(tables, clients, hands, name):
        check(tables, clients, hands, name)
        (path,) = tables.glob(f"{name}.*.jsonl")
        lines = path.read_bytes().splitlines(True)
        for change, made in CHANGES.items():
            path.write_bytes(b"".join(made(lines)))
            with pytest.raises(AssertionError):
                check(tables, clients, hands, name)
            found.append(change)
        path.write_bytes(b"".join(lines))
        clients[0].records.append(clients[0].records[-1])
        with pytest.raises(AssertionError):
            check(tables, clients, hands, name)

    monkeypatch.setattr(soak_server, "check", checked)

    async def match():
        async with serving(tmp_path / "tables", window_seconds=0.05) as server:
            soak = soak_server.Soak(tmp_path, server.port, 3, 0)
            await soak.match("t0-0")
            assert not server.tables
            return soak

    soak = run(match())
    assert found == [*CHANGES]
    assert soak.counts["matches"] == 1 and soak.counts["hands"] == soak.hands["t0-0"]
    assert soak.counts["drops"] and soak.counts["refused"] and not soak.failures
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["lock"]


LOG = "12:00:00,5 t1-0: hand 1: win [3, -1, -1, -1]\n12:00:02,5 t1-0: hand 2: exhausted [0, 0, 0, 0]\n"


@pytest.mark.parametrize(
    "log, fine",
    [
        (LOG, True),
        (LOG + LOG.replace("t1-0", "east"), True),
        (LOG + LOG.splitlines()[1], False),
        (LOG.splitlines()[0], False),
        (LOG + "12:00:03,1 t1-0: a fault\nTraceback (most recent call last):\n", False),
    ],
    ids=["right", "a stranger's table too", "doubled", "lost", "fault"],
)
def test_the_log_must_tell_of_the_same_hands(tmp_path, log, fine):
    soak = soak_server.Soak(tmp_path, 0, 1, 0)
    soak.hands["t1-0"] = 2
    soak.check_log(log)
    assert (not soak.failures) == fine == (not (tmp_path / "failures.txt").exists())


def test_memory_that_grows_is_told():
    rng = random.Random(1)
    series = [(10.0 * at, 40_000_000 + 1000 * at + rng.randrange(100)) for at in range(60)]
    assert soak_server.slope(series) == pytest.approx(6000, rel=0.02)
    assert soak_server.slope([(at, 40_000_000) for at, _ in series]) == 0


def test_memory_that_does_not_stay_flat_is_found():
    """Over the second half of ten minutes and more; before that it fills its pools."""

    def series(seconds, *sizes):
        return [(seconds * at / (len(sizes) - 1), size << 20) for at, size in enumerate(sizes)]

    assert soak_server.grown(series(600, 10, 20, 40, 45, 51))
    assert not soak_server.grown(series(599, 10, 20, 40, 45, 51))
    assert not soak_server.grown(series(600, 10, 20, 40, 45, 50))
    assert not soak_server.grown(series(600, 10, 15, 20, 24, 28))


def test_what_ends_beside_the_tables_is_a_failure(tmp_path):
    async def ends():
        raise ZeroDivisionError("of a test")

    async def both():
        soak = soak_server.Soak(tmp_path, 0, 1, 0)
        others = [asyncio.create_task(work) for work in (asyncio.sleep(60), ends())]
        await asyncio.sleep(0)
        await soak.end(others)
        return soak.failures

    (failure,) = run(both())
    assert "beside the tables" in failure and failure.endswith("ZeroDivisionError: of a test\n")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--minutes", "nan"), "argument --minutes: 'nan' is no time"),
        (("--minutes", "-1"), "argument --minutes: '-1' is no time"),
        (("--tables", "0"), "argument --tables: '0' is no whole number from 1"),
        (("--folder", __file__), f"argument --folder: {__file__}: File exists"),
        (("--folder", "."), "tables/t0-0.match is left of another run: another --folder, or remove it"),
    ],
)
def test_wrong_options_are_refused_in_a_line(options, reason, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("tables").mkdir()
    Path("tables/t0-0.match").touch()
    monkeypatch.setattr(sys, "argv", ["soak_server.py", *options])
    with pytest.raises(SystemExit) as refused:
        soak_server.main()
    assert refused.value.code == 2 and capsys.readouterr().err.splitlines()[-1].endswith(f"error: {reason}")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is looked at as Linux tells it")
def test_a_short_soak(tmp_path):
    command = [sys.executable, str(SCRIPTS / "soak_server.py"), "--minutes=0.1", "--tables=2", f"--folder={tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\n0 failures" in done.stdout and "memory of the server in MB: " in done.stdout
