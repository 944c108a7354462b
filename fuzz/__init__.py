"""Fuzzing: a machine makes up input, led by which code it reaches, and laws say what must hold for all of it.

Each target is a module with `check(data)`, which raises where its law is broken, and seeds in `seeds/`. Where bytes
changed blindly would get nowhere it has `mutate(data, most, seed, anyhow)` too, which makes other input of it.
`python -m fuzz` runs them (`make fuzz`).
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TARGETS = {
    "hands": "notation and hands as text; what is read is scored, and by a batch of one alike",
    "records": "lines of record files: refused, or verified by the referee too",
    "snapshots": "snapshots: refused, or a round that plays on to a record that verifies",
    "arrays": "arguments of tjmj.batch, in every layout, also while another thread writes to them",
    "answers": "answers to a round, illegal ones too, in two worlds and beside the referee",
    "fan": "scores and waits beside the slow references",
}

sys.path.append(str(FOLDER.parent / "tests"))  # the laws use its references and tables


def seeds(target):
    """The inputs that a target begins with, from a file with one a line: text, or bytes in hex."""
    (path,) = (FOLDER / "seeds").glob(f"{target}.*")
    lines = path.read_bytes().splitlines()
    return [bytes.fromhex(line.decode()) for line in lines] if path.suffix == ".hex" else lines
