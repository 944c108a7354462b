"""Matches kept in files (match.py): nothing is lost or doubled by a crash."""

from __future__ import annotations

import json
import os
import stat

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from matches import LIVELY, NAMES, SECRET, answer, play_hands, play_on
from matches import read_file as read
from matches import write_file as write

import tjmj
from tjmj import match as match_module
from tjmj import record
from tjmj.errors import RecordError, TjmjError
from tjmj.match import End, Match
from tjmj.record import verify_file

STREET = tjmj.rules("tianjin-street", **LIVELY)
HALL = tjmj.rules("tianjin-hall", first_dealer=0)
HANDS = 50


@pytest.fixture(scope="module", autouse=True)
def _no_waiting():
    """A disk takes its time; tests that are about it patch this once more."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The lines of a match of 50 hands, in which players move more than once."""
    path = tmp_path_factory.mktemp("whole") / "match.jsonl"
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_hands(made, HANDS)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == HANDS and sum(b'"seating"' in line for line in lines) > 1
    return lines


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "match.jsonl")


def state_of(match):
    """All that can be seen of a match, the open hand too."""
    return match.to_json(), match.snapshot()


# Saved and resumed


def test_the_file_is_its_records(whole, path):
    write(path, whole)
    assert all(verdict.ok for verdict in verify_file(path))
    made = Match.from_records(record.read(path), seed=SECRET)
    played = Match(STREET, NAMES, seed=SECRET)
    assert play_hands(played, HANDS) == [record.parse(line) for line in whole]
    assert state_of(made) == state_of(played)


def test_resumed_at_every_hand_it_goes_on_in_the_same_way(whole, path):
    Match(STREET, NAMES, seed=SECRET, path=path)
    for hand in range(HANDS):
        made = Match.resume(path)
        assert made.hands == hand and made.round is None
        play_on(made)
        assert state_of(Match.resume(path)) == state_of(made)
    assert read(path) == b"".join(whole)


def test_resumed_by_the_seed_alone(whole, path):
    for hand in range(1, HANDS):
        write(path, whole[:hand])
        assert play_on(Match.resume(path, seed=SECRET)) == record.parse(whole[hand])
        assert read(path) == b"".join(whole[: hand + 1])
        os.unlink(path + ".secret")


@given(st.integers(0, 2), st.integers(0, 60))
@effort(0.2)
def test_resumed_in_the_middle_of_a_hand(tmp_path_factory, hands, answers):
    path = tmp_path_factory.mktemp("middle") / "match.jsonl"
    played, whole = Match(STREET, NAMES, seed=SECRET, path=path), Match(STREET, NAMES, seed=SECRET)
    play_hands(played, hands)
    played.start_hand()
    for _ in range(answers):
        if not played.round.over:
            answer(played)
    played.save()
    made = Match.resume(path)
    assert state_of(made) == state_of(played)
    assert made.round.view(0) == played.round.view(0)
    play_hands(made, hands + 2)
    assert [*record.read(path)] == play_hands(whole, hands + 2)
    os.unlink(f"{path}.secret")


def test_the_end_is_resumed(path):
    made = Match("tianjin", NAMES, seed=SECRET, end=End(circles=2, hands=3), path=path)
    assert Match.resume(path).end == End(2, 3)
    play_hands(made, 10)
    again = Match.resume(path)
    assert again.ended == "hands" and again.hand_commitment is None
    with pytest.raises(TjmjError, match="the match has ended: hands"):
        again.start_hand()


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_who_left_is_resumed(path, seat):
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_hands(made, 2)
    made.start_hand()
    made.leave(seat)
    again = Match.resume(path)
    assert state_of(again) == state_of(made) and again.ended
    assert len(read(path).splitlines()) == 2


def test_a_run_is_resumed(path):
    made = Match("tianjin", seed=2**128 - 1, path=path)
    play_hands(made, 2)
    again = Match.resume(path)
    assert state_of(again) == state_of(made)
    assert play_on(made.restore(made.snapshot(), record.read(path))) == play_on(again)


def test_without_files(whole):
    made = Match(STREET, NAMES, seed=SECRET)
    records = play_hands(made, 5)
    made.start_hand()
    answer(made)
    again = Match.restore(json.dumps(made.snapshot()), records)
    assert state_of(again) == state_of(made)
    with pytest.raises(TjmjError, match="no file"):
        again.save()
    assert record.dumps(play_on(again)) + "\n" == whole[5].decode()
    with pytest.raises(RecordError, match="line 3: match is"):
        Match.restore(made.snapshot(), [*records[:2], *records[3:]])
    # The hand that was open has ended since: it is not opened again.
    later = Match.restore(made.snapshot(), [*records, record.parse(whole[5])])
    assert later.round is None and later.hands == 6


def test_history_without_the_seed(whole, path):
    write(path, whole)
    made, known = Match.resume(path), Match.resume(path, seed=SECRET)
    assert made.totals == known.totals and made.names == NAMES and made.standings[0].total > 0
    assert made.commitment == known.commitment and made.hand_commitment is None
    with pytest.raises(TjmjError, match="seed is not known"):
        made.start_hand()
    with pytest.raises(TjmjError, match="seed is not known"):
        made.snapshot()


def test_history_without_the_seed_writes_nothing(whole, path):
    write(path, [*whole[:2], whole[2][:-100]])
    before = read(path)
    assert Match.resume(path).hands == 2
    assert read(path) == before and not os.path.exists(path + ".secret")


def test_a_path_of_any_kind(tmp_path):
    path = tmp_path / "match.jsonl"
    play_on(Match("tianjin", seed=SECRET, path=path))
    assert Match.resume(path).hands == Match.resume(str(path)).hands == 1


def test_a_new_match_spares_another(path, whole):
    write(path, whole)
    with pytest.raises(FileExistsError, match=r"Match\.resume"):
        Match("tianjin", path=path)
    os.unlink(path)
    Match("tianjin", path=path)
    with pytest.raises(FileExistsError):
        Match("tianjin", path=path)
    assert read(path) == b""


# Secrets


def test_only_hands_that_have_ended_are_in_the_file(path):
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    for hand in range(3):
        made.start_hand()
        text = read(path).decode()
        assert SECRET.hex() not in text and text.count("\n") == hand
        assert not any(made._seed.of_hand(k).hex() in text for k in range(hand, 20))
        play_on(made)


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_the_secret_is_its_owners(path):
    made = Match("tianjin", path=path)
    for _ in range(2):
        assert stat.S_IMODE(os.stat(path + ".secret").st_mode) == 0o600
        os.chmod(path + ".secret", 0o644)
        made.save()
    made.save(path + ".elsewhere")
    assert stat.S_IMODE(os.stat(path + ".elsewhere").st_mode) == 0o600
    assert read(path + ".elsewhere") == read(path + ".secret")


def test_another_seed_is_refused(whole, path):
    write(path, whole)
    with pytest.raises(RecordError, match="line 1: the seed given is not the match's"):
        Match.resume(path, seed=bytes(32))
    Match.resume(path, seed=SECRET)
    with pytest.raises(RecordError, match=r"the seed given is not the one in .*secret"):
        Match.resume(path, seed=bytes(32))


# Crashes


class Killed(BaseException):
    """The program is gone."""


STEPS = ("save", "half a save", "saved", "append", "half a line", "the line but its end", "appended")


def kill(monkeypatch, step):
    """Let the program be killed at this step of a hand's end."""
    replace, append = match_module.replace_file, match_module.append_line

    def replace_file(path, data, sync):
        if step == "half a save":
            write(path + ".part", [data[:50]])
        if step in ("save", "half a save"):
            raise Killed
        replace(path, data, sync)
        if step == "saved":
            raise Killed

    def append_line(path, line, size):
        if step == "appended":
            append(path, line, size)
        elif step != "append":
            with open(path, "ab") as file:
                file.write(line[:100] if step == "half a line" else line)
        raise Killed

    monkeypatch.setattr(match_module, "replace_file", replace_file)
    monkeypatch.setattr(match_module, "append_line", append_line)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("hand", [0, 3])
def test_killed_while_a_hand_ends(whole, path, monkeypatch, step, hand):
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_hands(made, hand)
    made.start_hand()
    while not made.round.over:
        answer(made)
        made.save(sync=False)
    with monkeypatch.context() as patched:
        kill(patched, step)
        with pytest.raises(Killed):
            made.finish_hand()

    again = Match.resume(path)
    stored = step in ("the line but its end", "appended")
    assert (again.hands, again.round is None) == ((hand + 1, True) if stored else (hand, False))
    if again.round is not None:
        assert again.round.over
        again.finish_hand()
    play_on(again)
    assert read(path) == b"".join(whole[: hand + 2])


@pytest.mark.parametrize("step", ["save", "half a save", "saved"])
def test_killed_while_a_hand_begins(whole, path, monkeypatch, step):
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_hands(made, 2)
    with monkeypatch.context() as patched:
        kill(patched, step)
        with pytest.raises(Killed):
            made.start_hand()
    again = Match.resume(path)
    assert again.hands == 2 and (again.round is not None) is (step == "saved")
    play_on(again)
    assert read(path) == b"".join(whole[:3])


def test_a_half_written_last_line_is_cut_off(whole, path):
    begin = len(b"".join(whole[:2]))
    everything = b"".join(whole[:3])
    last = len(everything) - 1
    for cut in {begin + 1, begin + 5, last - 1, last, *range(begin, last, 37)}:
        write(path, [everything[:cut]])
        made = Match.resume(path, seed=SECRET)
        # Of a line that lacks only its end nothing is missing.
        assert made.hands == (3 if cut == last else 2)
        assert read(path) == b"".join(whole[: made.hands])
        play_on(made)
        assert read(path) == b"".join(whole[: made.hands])
        os.unlink(path + ".secret")


@pytest.mark.parametrize("tail", [b"\0" * 500, b'{"format":"tj\0\0\0', b"   ", b"\n \n"])
def test_ends_that_a_lost_power_leaves(whole, path, tail):
    write(path, [*whole[:2], tail])
    made = Match.resume(path, seed=SECRET)
    play_on(made)
    assert [line for line in read(path).splitlines(keepends=True) if line.strip()] == whole[:3]
    assert Match.resume(path).hands == 3


OTHER_ENDS = (
    b"hello",
    b'{"names":',
    b'{"format":"tjmj-record/2"',
    b"\0x",
    b'{"format":"tjmj-record/1"' + b" " * 70_000,
)


@pytest.mark.parametrize("tail", OTHER_ENDS)
def test_other_ends_are_refused_and_stay(whole, path, tail):
    write(path, [*whole[:2], tail])
    with pytest.raises(RecordError, match="line 3"):
        Match.resume(path, seed=SECRET)
    assert read(path) == b"".join([*whole[:2], tail])


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_changes_nothing(path, monkeypatch, failing):
    def fails(*_):
        raise OSError(28, "No space left on device")

    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_on(made)
    for act in (made.start_hand, made.finish_hand, made.leave):
        before, stored = state_of(made), (read(path), read(path + ".secret"))
        with monkeypatch.context() as patched:
            patched.setattr(os, failing, fails)
            with pytest.raises(OSError, match="No space"):
                act()
        assert state_of(made) == before and (read(path), read(path + ".secret")) == stored
        if act == made.start_hand:
            made.start_hand()
            while not made.round.over:
                answer(made)
    made.finish_hand()
    assert Match.resume(path).hands == 2


def test_a_line_is_stored_whole_or_not(path, monkeypatch):
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_on(made)
    made.start_hand()
    while not made.round.over:
        answer(made)
    stored, calls = read(path), []
    sync = os.fsync

    def fails_on_the_line(file):
        calls.append(file)
        if os.fstat(file).st_size > len(stored):
            raise OSError(5, "Input/output error")
        sync(file)

    monkeypatch.setattr(os, "fsync", fails_on_the_line)
    monkeypatch.setattr(match_module, "replace_file", lambda *_: None)
    with pytest.raises(OSError, match="Input/output"):
        made.finish_hand()
    assert calls and read(path) == stored and made.round.over


@pytest.mark.skipif(os.name != "posix", reason="folders are stored by themselves elsewhere")
def test_what_is_waited_for(path, monkeypatch):
    """Content before the name, and the line of a hand before it counts."""
    stored = []
    monkeypatch.setattr(os, "fsync", lambda file: stored.append(os.fstat(file)))
    made = Match("tianjin", seed=SECRET, path=path)
    assert [stat.S_ISDIR(one.st_mode) for one in stored] == [True, False, True]
    assert stored[1].st_size == len(read(path + ".secret"))
    stored.clear()
    made.save(sync=False)
    assert stored == []
    play_on(made)
    assert [stat.S_ISDIR(one.st_mode) for one in stored] == [False, True, False, True, False]
    assert stored[-1].st_size == len(read(path))
    stored.clear()
    Match.resume(path)
    assert [stat.S_ISDIR(one.st_mode) for one in stored] == [False, False, True]


def test_a_file_that_somebody_else_writes_to(path, whole):
    made, other = Match(STREET, NAMES, seed=SECRET, path=path), Match.resume(path)
    play_on(other)
    with pytest.raises(OSError, match="has changed"):
        play_on(made)
    assert read(path) == whole[0] and made.hands == 0


def test_records_that_were_lost(path):
    made = Match(STREET, NAMES, seed=SECRET, path=path)
    play_hands(made, 3)
    made.start_hand()
    write(path, read(path).splitlines(keepends=True)[:2])
    with pytest.raises(RecordError, match="there are 2 records, and 3 hands had ended"):
        Match.resume(path)


def test_nothing_to_resume(path):
    with pytest.raises(FileNotFoundError):
        Match.resume(path)
    write(path, [b"\n"])
    with pytest.raises(RecordError, match="no records"):
        Match.resume(path, seed=SECRET)
