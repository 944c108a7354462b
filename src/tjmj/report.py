"""A run of `tjmj.simulate` as one page of HTML with charts, which needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from .elements import CHINESE as ELEMENT
from .simulate import Summary

_Label = tuple[str, str]  # in Chinese, in English

_STYLE = """
:root{color-scheme:light dark;--page:#f6f5f0;--card:#fff;--ink:#1b2420;--dim:#5c6963;--line:#e2e2d8;--bar:#1c7a55;
--loss:#c2452d;--track:#edefe8}
@media(prefers-color-scheme:dark){:root{--page:#121715;--card:#1b2220;--ink:#e8efeb;--dim:#9db0a7;--line:#2c3733;
--bar:#4cc492;--loss:#f0866f;--track:#27302c}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,
'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif}
main{max-width:960px;margin:0 auto;padding:24px 16px 48px}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:0 0 12px}h3{font-size:.95rem;margin:0 0 4px}.note{margin:12px 0}
p{margin:4px 0 0;color:var(--dim)}.partial{color:var(--loss);font-weight:600}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;margin-top:16px}
.facts{margin:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:16px}
.facts dd{margin:0;font-size:1.6rem;font-weight:600}.facts dt{color:var(--dim);font-size:.85rem}
.facts div{display:flex;flex-direction:column-reverse}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{font-weight:400;text-align:left;white-space:nowrap;padding:3px 12px 3px 0}
td{text-align:right;padding:3px 0 3px 12px;white-space:nowrap}
td.bar{width:100%;padding:0}thead th,thead td{color:var(--dim);font-size:.85rem}
svg{display:block;width:100%;overflow:visible}svg text{fill:var(--dim);font-size:12px}
.fill{fill:var(--bar)}.loss{fill:var(--loss)}.even{fill:var(--dim)}.track{fill:var(--track)}.axis{stroke:var(--line)}
@media(max-width:480px){table{font-size:.875rem}td{padding-left:8px}th{padding-right:8px}}
.seats{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(400px,100%),1fr));gap:24px}
"""


def report(summary: Summary) -> str:
    """A page about a run: how hands ended, fan, elements, lengths of hands, and points of each seat.

    It has no script and asks the network for nothing. Texts are in English with the Chinese terms.

    Parameters
    ----------
    summary : Summary

    Returns
    -------
    str
        HTML.
    """
    parts = [_head(summary), _facts(summary), _ends(summary)]
    if summary.wins:
        parts += [_fans(summary), _elements(summary)]
    if summary.hands:
        parts += [_lengths(summary), _points(summary)]
    title = escape(f"{summary.hands:,} hands, {summary.rules}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def _head(summary: Summary) -> str:
    told = escape(f"rules {summary.rules}, policy {summary.policy}, seed {summary.seed}")
    partial = ""
    if summary.partial:
        partial = f'<p class="partial">Interrupted: {summary.asked:,} hands were asked for.</p>'
    return f"<header><h1>{summary.hands:,} hands of mahjong</h1><p>{told}</p>{partial}</header>\n"


def _facts(summary: Summary) -> str:
    won = summary.hands - summary.exhausted
    facts = (
        (("和", "hands won"), _share(won, summary.hands)),
        (("番", "fan of a win"), _decimal(summary.average_fan)),
        (("打", "discards a hand"), _decimal(summary.average_length)),
        (("杠", "kongs a hand"), _decimal(summary.kongs / summary.hands if summary.hands else None)),
        (("", "decisions"), f"{summary.decisions:,}"),
    )
    cells = "".join(f"<div><dt>{_words(label)}</dt><dd>{value}</dd></div>" for label, value in facts)
    return f'<section><dl class="facts">{cells}</dl></section>\n'


def _ends(summary: Summary) -> str:
    rows = [
        (("庄家", "dealer won"), summary.dealer_wins),
        (("闲家", "others won"), summary.wins - summary.dealer_wins),
        (("荒庄", "nobody won"), summary.exhausted),
    ]
    several = summary.wins + summary.exhausted - summary.hands
    note = f"<p>Further winners of hands that several seats won: {several:,}.</p>" if several else ""
    return _section(("结果", "how hands ended"), _bars(rows, summary.hands, "of hands") + note)


def _fans(summary: Summary) -> str:
    most = len(summary.fans) - 1
    rows = [
        (("", f"{fan} 番" if fan < most else f"{fan} 番 or more"), wins)
        for fan, wins in enumerate(summary.fans)
        if wins
    ]
    return _section(("番", "fan of wins"), _bars(rows, summary.wins, "of wins"))


def _elements(summary: Summary) -> str:
    won = summary.elements
    rows = [((ELEMENT[key], key), won[key]) for key in ELEMENT if won.get(key)]
    rows.sort(key=lambda row: -row[1])
    return _section(("番种", "elements of wins"), _bars(rows, summary.wins, "of wins"))


def _lengths(summary: Summary) -> str:
    first, last = _ends_of(summary.lengths)
    columns = [
        _Column(f"{place} discards", summary.lengths[place], "fill", "" if place % 10 else str(place))
        for place in range(first, last + 1)
    ]
    middle = _median(summary.lengths)
    note = f"<p>Half of the hands have {middle} discards or fewer; they have {first} to {last}.</p>"
    return _section(("长短", "discards of a hand, all seats' together"), _chart(columns, summary.hands, 220) + note)


def _points(summary: Summary) -> str:
    deviations = summary.deviations or ()
    rows = "".join(
        f'<tr><th scope="row">{seat}</th><td>{points:+,}</td><td>{points / summary.hands:+.3f}</td>'
        f"<td>{deviation:.2f}</td></tr>"
        for seat, (points, deviation) in enumerate(zip(summary.points, deviations))
    )
    table = (
        "<table><thead><tr><th>seat</th><td>points</td><td>a hand</td><td>standard deviation</td></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
    used = [max(each) for each in zip(*summary.gains)]
    first, last = _ends_of(used)
    charts = "".join(_seat(seat, summary, first, last) for seat in range(4))
    note = '<p class="note">Hands by what a seat gained or lost in them:</p>'
    return _section(("分", "points by seat"), f'{table}{note}<div class="seats">{charts}</div>')


def _seat(seat: int, summary: Summary, first: int, last: int) -> str:
    columns = [_gain(place, summary.gains[seat][place]) for place in range(first, last + 1)]
    return f"<div><h3>seat {seat}</h3>{_chart(columns, summary.hands, 120)}</div>"


def _gain(place: int, hands: int) -> _Column:
    """A place of `Summary.gains`; every third one has its least points below it."""
    if place == 21:
        return _Column("0 points", hands, "even", "0")
    low = 1 << abs(place - 21) - 1
    most = " and more" if place in (0, 42) else f" to {2 * low - 1}" if low > 1 else ""
    points = f"{'+' if place > 21 else '−'}{low}"
    return _Column(f"{points}{most} points", hands, "fill" if place > 21 else "loss", "" if place % 3 else points)


# Charts


def _section(title: _Label, body: str) -> str:
    return f"<section><h2>{_words(title)}</h2>{body}</section>\n"


def _words(label: _Label) -> str:
    chinese, english = map(escape, label)
    return f'<span lang="zh">{chinese}</span> {english}' if chinese else english


def _bars(rows: Iterable[tuple[_Label, int]], whole: int, of: str) -> str:
    """A table with a bar in each row, as long as its share is of the greatest."""
    rows = list(rows)
    greatest = max([number for _, number in rows], default=0) or 1
    lines = "".join(
        f'<tr><th scope="row">{_words(label)}</th><td class="bar"><svg height="14" aria-hidden="true">'
        f'<rect class="track" width="100%" height="14" rx="4"/>'
        f'<rect class="fill" width="{100 * number / greatest:.2f}%" height="14" rx="4"/></svg></td>'
        f"<td>{number:,}</td><td>{_share(number, whole)}</td></tr>"
        for label, number in rows
    )
    head = f"<thead><tr><th></th><td></td><td>number</td><td>{of}</td></tr></thead>"
    return f"<table>{head}<tbody>{lines}</tbody></table>"


@dataclass(frozen=True)
class _Column:
    """One of a chart: what it counts, how many, its class of style, and what is written below it."""

    what: str
    hands: int
    style: str
    below: str


def _chart(columns: Sequence[_Column], whole: int, height: int) -> str:
    """Columns side by side; the line above them is the share of the greatest."""
    greatest = max(column.hands for column in columns) or 1
    top, base, width = 18, height - 22, 100 / len(columns)
    told = escape(f"columns from {columns[0].what} to {columns[-1].what}, the greatest {_share(greatest, whole)}")
    parts = [f'<svg height="{height}" role="img" aria-label="{told}"><text y="12">{_share(greatest, whole)}</text>']
    parts += [f'<line class="axis" x2="100%" y1="{y}" y2="{y}"/>' for y in (top, base)]
    for place, column in enumerate(columns):
        tall = (base - top) * column.hands / greatest
        box = f'x="{(place + 0.08) * width:.2f}%" y="{base - tall:.1f}" width="{width * 0.84:.2f}%" height="{tall:.1f}"'
        told = escape(f"{column.what}: {column.hands:,} hands, {_share(column.hands, whole)}")
        parts.append(f'<rect class="{column.style}" {box}><title>{told}</title></rect>')
        if column.below:
            middle = f'x="{(place + 0.5) * width:.2f}%" y="{height - 5}"'
            parts.append(f'<text {middle} text-anchor="middle">{escape(column.below)}</text>')
    return "".join([*parts, "</svg>"])


def _ends_of(numbers: Sequence[int]) -> tuple[int, int]:
    """The first and the last place with something in it."""
    places = [place for place, number in enumerate(numbers) if number]
    return places[0], places[-1]


def _median(numbers: Sequence[int]) -> int:
    """The first place up to which there is half of all."""
    half = sum(numbers) / 2
    return next(place for place, upto in enumerate(accumulate(numbers)) if upto >= half)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def _decimal(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"
