"""What can be asked on the command line; the answers are made in batch.py and show.py."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from .. import Score, __version__, parse_tile, rulesets
from .. import score as score_of
from .. import waits as waits_of
from ..answers import score_answer, waits_answer
from ..errors import NotationError, TjmjError
from ..rulesets import Rules
from . import BROKEN_PIPE, INTERRUPTED, batch, fail
from .files import opened, read_hands, write_whole
from .options import added, asks_flip, chosen_rules, circumstances, is_given, option_name, rules_options
from .record import perft, record
from .simulate import simulate

if TYPE_CHECKING:
    from .._notation import _Notation


class App(click.Group):
    """A command that tells every fault in one line on standard error, with exit status 2."""

    def run(self, args: Sequence[str] | None = None, **extra: Any) -> int:
        """Run it and return the exit status."""
        extra |= {"prog_name": "tjmj", "standalone_mode": False, "windows_expand_args": False}
        if sys.stdout is None:
            return fail("standard output is closed")
        try:
            return super().main(None if args is None else list(args), **extra) or 0
        except click.UsageError as fault:
            path = fault.ctx.command_path if fault.ctx else "tjmj"
            return fail(f"{fault.format_message()} (see '{path} --help')")
        except click.ClickException as fault:
            return fail(fault.format_message())
        except click.Abort:  # what click makes of an interrupt while it reads the arguments
            return INTERRUPTED

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """As `run`, but exits."""
        sys.exit(self.run(args, **extra))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; whatever stops it becomes one of click's own exceptions."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # What is still buffered would raise again when the interpreter closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(BROKEN_PIPE) from None
        except TjmjError as fault:
            raise click.ClickException(str(fault)) from None
        except OSError as fault:
            where = f"{fault.filename}: " if fault.filename else ""
            raise click.ClickException(f"{where}{fault.strerror or fault}") from None
        return status


@click.group(cls=App, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tjmj", message="%(prog)s %(version)s")
def app() -> None:
    """Tianjin mahjong 天津麻将, and Jintan mahjong 金坛麻将: hands, fan, waits, and hands of play.

    A hand is written like "[555W]{1111F}123T99B+9B": melds, concealed tiles, and the winning tile
    behind the plus. W is 万, T 条, B 饼, F 东南西北, J 中发白.
    """


_hand_options = added(
    click.argument("hand", required=False),
    click.option("--flip", metavar="TILE",
                 help="The flipped tile, which says what is wild, where the rules flip one; -1 for none."),
    click.option("--flowers", type=int, metavar="N",
                 help="How many flowers are laid out, 0 to 8, where the rules count them."),
    rules_options,
    click.option("--notation", type=click.Choice(["mpsz", "mpsz-cn"]),
                 help="Read mpsz: Tenhou's 5z 6z 7z are 白 发 中, the Chinese (mpsz-cn) 中 发 白."),
    click.option("--json", "as_json", is_flag=True, help="Answer in JSON."),
    click.option("--batch", "batch_file", metavar="FILE",
                 help="JSON Lines in, JSON Lines out; - reads standard input."),
)  # fmt: skip


@app.command()
@_hand_options
@click.option("--kong-draw", is_flag=True, help="杠开: the winning tile is a kong's replacement.")
@click.option("--heavenly", is_flag=True, help="天和: the dealer wins on the tiles dealt.")
@click.option("--earthly", is_flag=True, help="地和, where the rules have it.")
@click.option("--ready", is_flag=True, help="天听 was declared, where the rules have it.")
@click.option("--source", metavar="self|discard|kong|rob",
              help="Where the rules count flowers: what was won on, an own draw, a discard, a kong's "
                   "replacement or a robbed kong; self if it is not given.")
@click.option("--file", "hand_file", metavar="FILE",
              help="Score a file for people, in each line HAND FLIP and what of kong-draw, heavenly, "
                   "earthly and ready holds, or HAND, a source and flowers=N; # begins a comment. "
                   "- reads standard input.")
@click.option("--svg", metavar="FILE",
              help="Draw the hand with its reading as a picture into FILE, an SVG; - is standard output, where "
                   "nothing else is written then.")  # fmt: skip
def score(
    hand: str | None,
    flip: str | None,
    preset: str,
    settings: tuple[str, ...],
    notation: _Notation,
    as_json: bool,
    batch_file: str | None,
    hand_file: str | None,
    svg: str | None,
    **given: Any,
) -> int:
    """Score a winning HAND: its best reading, its elements, and what it is worth."""
    rules = chosen_rules(preset, settings)
    if batch_file is not None:
        _refuse("--batch", HAND=hand, flip=flip, file=hand_file, svg=svg, **given)
        with opened(batch_file) as lines:
            return batch.run(lines, batch.ScoreLines(rules, notation))
    if hand_file is not None:
        _refuse("--file", HAND=hand, flip=flip, json=as_json, svg=svg, **given)
        return _show_file(hand_file, rules, notation)
    result = _scored(_one_hand(hand), flip, rules, notation, circumstances(rules, given))
    if svg is not None:
        from .. import draw

        write_whole(svg, draw.score(result).encode())
    if svg == "-":
        return 0
    if as_json:
        batch.write(score_answer(result))
    else:
        from . import show

        show.Screen().score(result)
    return 0


@app.command()
@_hand_options
def waits(
    hand: str | None,
    flip: str | None,
    preset: str,
    settings: tuple[str, ...],
    notation: _Notation,
    as_json: bool,
    batch_file: str | None,
    **given: Any,
) -> int:
    """List every tile that completes a waiting HAND, and what it would make of it."""
    rules = chosen_rules(preset, settings)
    if batch_file is not None:
        _refuse("--batch", HAND=hand, flip=flip, **given)
        with opened(batch_file) as lines:
            return batch.run(lines, batch.WaitsLines(rules, notation))
    hand, chosen = _one_hand(hand), circumstances(rules, given)
    result = waits_of(hand, _flipped(flip, rules, notation), rules, notation=notation, **chosen)
    if as_json:
        batch.write(waits_answer(result))
    else:
        from . import show

        show.Screen().waits(result)
    return 0


@app.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True,
              help="Answer in JSON: names and titles, or a preset as records and batches write rules.")  # fmt: skip
def rules(name: str | None, as_json: bool) -> int:
    """List the presets, or every option of the preset NAME."""
    chosen = None if name is None else rulesets.rules(name)
    if not as_json:
        from . import show

        show.Screen().rules(chosen) if chosen else show.Screen().presets()
    elif chosen:
        batch.write({"name": chosen.name, **chosen.options()})
    else:
        batch.write({each: rulesets.preset_title(each) for each in rulesets.preset_names()})
    return 0


app.add_command(record)
app.add_command(perft)
app.add_command(simulate)


def _refuse(option: str, **given: object) -> None:
    """Refuse what speaks of one hand beside an option that reads many."""
    for name, value in given.items():
        if is_given(value):
            raise click.UsageError(f"{option_name(name)} cannot stand beside {option}")


def _one_hand(hand: str | None) -> str:
    if hand is None:
        raise click.UsageError("Missing HAND")
    return hand


def _scored(
    hand: str, flip: str | None, rules: Rules, notation: _Notation, chosen: dict[str, Any]
) -> Score:
    return score_of(hand, _flipped(flip, rules, notation), rules, notation=notation, **chosen)


def _flipped(text: str | None, rules: Rules, notation: _Notation) -> int | None:
    """The flipped kind, None where the rules flip no tile; beside a hand in mpsz it may be in mpsz too."""
    if not asks_flip(rules):
        if text is not None:
            raise click.UsageError(f"--flip is not asked by the rules {rules.name!r}: they flip no tile")
        return None
    if text is None:
        raise click.UsageError("Missing --flip TILE, the flipped tile (-1 for none)")
    if text == "-1":
        return -1
    if notation is None:
        return parse_tile(text)
    try:
        return parse_tile(text)
    except NotationError:
        return parse_tile(text, notation)


def _show_file(name: str, rules: Rules, notation: _Notation) -> int:
    from . import show

    screen = show.Screen()
    with opened(name) as lines:
        for number, line in enumerate(read_hands(lines, name, rules)):
            with line.fault_named():
                result = _scored(line.hand, line.flip, rules, notation, line.circumstances)
            if number:
                screen.gap()
            screen.remark(line.remark)
            screen.score(result)
    return 0
