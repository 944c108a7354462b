"""Small faults that can be put into a source of the package: one comparison, operator or constant each.

Left alone is what no rule depends on: comments, texts, imports, messages of errors, types with their sizes, and what
is declared for C.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"""
    (?P<skip> \#[^\n]* | [bfr]{0,2} (?: \"{3}.*?\"{3} | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
              | <(?:const\ )? [A-Za-z_]\w* (?:\ ?\*+)? > (?=[\w(&*~-]) | \\\n )
    | (?P<end> \n )
    | (?P<number> 0x[0-9A-F]+ | \d[\d_]* )
    | (?P<word> is\ not\b | not\ in\b | [A-Za-z_]\w* )
    | (?P<bracket> [][(){}] )
    | (?P<other> -> | =\* | :: )
    | (?P<operator> (?: // | << | >> | [-+*%&|^] ) =? | [<>=!]= | \S )
    """,
    re.VERBOSE | re.DOTALL,
)
INSTEAD = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not", "is not": "is", "not in": "in",
    "+": "-", "-": "+", "*": "+", "//": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "~": "",
    "+=": "-=", "-=": "+=", "*=": "+=", "<<=": ">>=", ">>=": "<<=", "|=": "&=", "&=": "|=", "^=": "|=",
    "and": "or", "or": "and", "not": "", "True": "False", "False": "True", "min": "max", "max": "min",
}  # fmt: skip
UNARY = {"~", "not", "True", "False", "min", "max"}
NO_OPERAND = {"return", "in", "and", "or", "not", "if", "elif", "else", "while", "lambda", "is", "yield", "="}
LEFT_ALONE = {"from", "import", "cimport", "raise", "assert", "ctypedef", "class"}
BLOCK_LEFT_ALONE = re.compile(r"cdef (extern|(packed )?struct|union)\b")


@dataclass(frozen=True)
class Mutant:
    """A fault: `old` at this place of a file becomes `new`. `key` stays the same while lines move."""

    file: str
    start: int
    line: int
    old: str
    new: str
    key: str

    def applied(self, source: str) -> str:
        assert source.startswith(self.old, self.start)
        return source[: self.start] + self.new + source[self.start + len(self.old) :]


def statements(source: str) -> Iterator[list[re.Match[str]]]:
    """The tokens of each logical line."""
    depth, line = 0, []
    for token in TOKEN.finditer(source):
        if token.lastgroup == "bracket":
            depth += 1 if token[0] in "([{" else -1
        if token.lastgroup not in ("skip", "end"):
            line.append(token)
        elif token.lastgroup == "end" and not depth and line:
            yield line
            line = []
    if line:
        yield line


def candidates(source: str) -> Iterator[re.Match[str]]:
    """Tokens that may be changed."""
    block = None  # indentation of a block that is left alone
    for tokens in statements(source):
        start = tokens[0].start()
        indentation = start - (source.rfind("\n", 0, start) + 1)
        if block is not None and indentation > block:
            continue
        block = indentation if BLOCK_LEFT_ALONE.match(source, start) else None
        if block is not None or tokens[0][0] in LEFT_ALONE or tokens[0][0] == "@":
            continue
        if tokens[0][0] in ("cdef", "cpdef", "def") or (tokens[1:] and tokens[1][0] == ":"):
            equals = [place for place, token in enumerate(tokens) if token[0] == "="]
            tokens = tokens[equals[0] :] if equals else []  # before it there are types
        yield from tokens


def replacements(token: re.Match[str], before: str) -> list[str]:
    """What may stand instead of a token; `before` ends where it begins."""
    text = token[0]
    if token.lastgroup == "number":
        if text.startswith("0x"):
            return [f"0x{int(text, 16) ^ 1 << len(text) % 7:X}"]
        number = int(text)
        return [str(number + 1)] if number == 0 else [str(number + 1), str(number - 1)]
    if text not in INSTEAD:
        return []
    last = re.search(r"(\w+|\S)\s*$", before)
    binary = last is not None and last[1] not in NO_OPERAND and re.match(r"[\w)\]}\"']", last[1])
    return [INSTEAD[text]] if binary or text in UNARY else []


def mutants(file: str, source: str) -> list[Mutant]:
    """All faults that may be put into a source."""
    found, seen = [], Counter()
    for token in candidates(source):
        first, last = source.rfind("\n", 0, token.start()) + 1, source.find("\n", token.start())
        text = source[first:last].strip()
        for new in replacements(token, source[first : token.start()]):
            old = token[0] + " " * (not new and token[0] == "not")
            key = f"{file}: {text} | {old}{token.start() - first} -> {new}"
            seen[key] += 1
            key += f" #{seen[key]}" * (seen[key] > 1)
            found.append(Mutant(file, token.start(), source.count("\n", 0, first) + 1, old, new, key))
    return found
