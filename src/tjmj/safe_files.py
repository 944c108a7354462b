"""Files that a crash leaves whole: lines appended, contents replaced at once, half-written ends found."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .json_lines import LONGEST_LINE

StrPath = str | os.PathLike[str]


@contextmanager
def replacing(path: StrPath) -> Iterator[BinaryIO]:
    """A file for everybody to read, under its name only when it is complete, or writing it was interrupted.

    Until then a file that is there stays as it is, and after a fault too. What is no file, such as a pipe, is
    written to at once.
    """
    name = os.fsdecode(path)
    if os.path.exists(name) or not os.path.basename(name):
        with open(name, "ab") as file:  # refuses what may not be written to
            if not os.path.isfile(name):  # a device or a pipe
                yield file
                return
    name = os.path.realpath(name)  # a link stays one
    part = f"{name}.{secrets.token_hex(4)}.part"
    try:
        file = open(part, "xb")
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, os.fsdecode(path)) from None
    complete = True
    try:
        with file:
            yield file
    except Exception:  # an interrupt keeps what there is
        complete = False
        raise
    finally:
        os.replace(part, name) if complete else os.unlink(part)


def append_line(path: StrPath, line: bytes, size: int) -> int:
    """Append a line to a file and wait until it is stored.

    Parameters
    ----------
    path : path
        A file that is there.
    line : bytes
        Without its end.
    size : int
        Bytes that the file has to have now.

    Returns
    -------
    int
        Bytes that it has then.

    Raises
    ------
    OSError
        If it has another size, since somebody else has written to it, or cannot be written to; it is left as
        it was.
    """
    data = line + b"\n"
    # Without a buffer, which would be written once more when the file is closed.
    with open(path, "r+b", buffering=0) as file:
        if file.seek(0, os.SEEK_END) != size:
            raise OSError(f"{os.fspath(path)} has changed: it had {size} bytes and has {file.tell()}")
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                file.truncate(size)
            raise
    return size + len(data)


def replace_file(path: StrPath, data: bytes, sync: bool = True) -> None:
    """Give a file new content, so that at any moment it has either the old or the new one whole.

    Only its owner may read and write it (mode 0600). The new content is made in a file beside it whose name
    ends in `.part`; one that a crash has left is replaced. Without `sync` it is not waited for until it is
    stored: this outlives the program, but not always the machine.
    """
    part = os.fspath(path) + ".part"
    with suppress(FileNotFoundError):
        os.unlink(part)
    with open(part, "xb", opener=_private) as file:
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())
    os.replace(part, path)
    if sync:
        sync_folder(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def sync_folder(path: StrPath) -> None:
    """Wait until the name of a file is stored, where the system can."""
    if os.name != "posix":
        return
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def is_torn(line: bytes, beginning: bytes) -> bool:
    """Whether a line is the last one of a file, broken off while it was written.

    Parameters
    ----------
    line : bytes
        With its end, if it has one.
    beginning : bytes
        How every line of the file begins; what begins otherwise is no line of it, and not torn.
    """
    if line.endswith(b"\n") or len(line) > LONGEST_LINE:
        return False
    # A file may have grown on the disk before the line itself got there.
    written = line.rstrip(b"\0")
    if not beginning.startswith(written[: len(beginning)]):
        return False
    try:
        json.loads(written)
    except ValueError:  # a broken-off object is never complete
        return True
    except RecursionError:
        pass
    return False


def mend(path: StrPath, torn: int) -> int:
    """Cut a torn end of so many bytes off a file and end its last line; returns its bytes then."""
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END) - torn
        if torn:
            file.truncate(size)
        file.seek(max(0, size - 1))
        if size and file.read() != b"\n":
            file.write(b"\n")
            size += 1
        file.flush()
        os.fsync(file.fileno())
    return size
