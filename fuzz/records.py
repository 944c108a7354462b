"""Lines of record files.

Law: a line is refused, by verdict and by `RecordError` alike, or it verifies; then it is written and read back the
same, the round that it tells ends as it says, and the referee accepts it too. Where one of its moves is wrong the
referee finds the same one.
"""

from __future__ import annotations

import io
import json

import referee

from tjmj import RecordError, record
from tjmj.json_lines import numbered_lines
from tjmj.round import replayed
from tjmj.telling import told

from . import damage

mutate = damage.mutate


def check(data: bytes) -> None:
    verdicts = list(record.verify_file(io.BytesIO(data)))
    lines = list(numbered_lines(io.BytesIO(data)))
    assert [verdict.line for verdict in verdicts] == [number for number, _ in lines]
    for verdict, (number, line) in zip(verdicts, lines):
        check_line(verdict, number, line)


def check_line(verdict: record.Verdict, number: int, line: bytes) -> None:
    made = None
    try:
        made = record.parse(line, number)
        record.verify(made)
    except RecordError as fault:
        assert not verdict.ok and 0 < len(str(fault)) < 2000
        assert verdict.reason and len(verdict.reason) < 2000
    else:
        assert verdict.ok
        check_right(made)
    telling = told(number, line)
    assert telling.verdict == verdict
    if telling.round is not None:
        telling.round.view(0)
    check_referee(verdict, line, made is not None)


def check_right(made: record.Record) -> None:
    """A verified record is written and read back, and played again it ends as it says."""
    line = record.dumps(made)
    again = record.parse(line)
    assert again == made and record.dumps(again) == line
    record.verify(again)
    round_, fault = replayed(made)
    assert fault is None and round_.over and round_.result == made.result
    record.verify(round_.record())
    assert sum(made.result["net"]) == 0


def check_referee(verdict: record.Verdict, line: bytes, readable: bool) -> None:
    try:
        fields = json.loads(line)
        referee.verify(fields)
    except referee.Fault as fault:
        assert not verdict.ok, fault
        assert verdict.move is None or fault.move in (None, verdict.move), (verdict, fault)
    except Exception:  # it is lost where the fields have not the right form; else it has a fault itself
        if readable:
            raise
    else:
        assert verdict.ok or not readable, verdict  # of the form it asks less: keys that it does not know, say
