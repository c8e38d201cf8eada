"""Take files out of a folder or a zip that somebody else made: all of them, or none."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from harness.errors import HarnessError
from harness.github.failures import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CHUNK = 1 << 16
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 0x1
#: Below this size no compression is suspicious.
_SMALL = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that is taken: bytes, files, and bytes for each compressed byte."""

    archive: int
    files: int
    file: int
    total: int
    ratio: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One file of a source."""

    name: str
    size: int
    open: Callable[[], IO[bytes]]


def unpack(source: Path, into: Path, limits: Limits, allowed: Callable[[str], bool]) -> list[Path]:
    """Copy every file of a folder or zip below `into`; a HarnessError says why none was taken.

    `allowed` says whether a relative name, with `/` between its parts, is expected.
    """
    with _entries(source, limits) as entries:
        _check(source, entries, limits, allowed)
        copied = []
        for entry in entries:
            target = into / entry.name
            if target.exists():
                raise _refused(source, f"{printable(entry.name)}: is there twice")
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy(source, entry, target)
            copied.append(target)
    return copied


def _refused(source: Path, why: str) -> HarnessError:
    return HarnessError(
        f"{source}: {why}; refused as a whole", "Look at the run that uploaded it before anything."
    )


def _check(
    source: Path, entries: list[_Entry], limits: Limits, allowed: Callable[[str], bool]
) -> None:
    if len(entries) > limits.files:
        raise _refused(source, f"{len(entries)} files; at most {limits.files} are expected")
    seen: set[str] = set()
    for entry in entries:
        shown = printable(entry.name)
        if not allowed(entry.name) or not _inside(entry.name):
            raise _refused(source, f"{shown}: not a name that is expected")
        if entry.name.casefold() in seen:
            raise _refused(source, f"{shown}: is there twice")
        seen.add(entry.name.casefold())
        if entry.size > limits.file:
            raise _refused(source, f"{shown}: {entry.size:,} bytes; at most {limits.file:,}")
    total = sum(entry.size for entry in entries)
    if total > limits.total:
        raise _refused(source, f"{total:,} bytes unpacked; at most {limits.total:,}")


def _inside(name: str) -> bool:
    """Return whether a name stays below the folder that it is relative to."""
    parts = name.split("/")
    return name.isprintable() and "\\" not in name and not {"", ".", ".."} & set(parts)


def _copy(source: Path, entry: _Entry, target: Path) -> None:
    """Write one file, and not a byte more than it says that it has."""
    try:
        with entry.open() as file, target.open("xb") as copy:
            while chunk := file.read(_CHUNK):
                copy.write(chunk)
                if copy.tell() > entry.size:
                    raise _refused(source, f"{printable(entry.name)}: longer than it says")
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise _refused(source, f"{printable(entry.name)}: {printable(error)}") from error


@contextmanager
def _entries(source: Path, limits: Limits) -> Iterator[list[_Entry]]:
    if source.is_dir():
        yield _of_folder(source)
        return
    try:
        size = source.stat().st_size
        if size > limits.archive:
            raise _refused(source, f"{size:,} bytes; at most {limits.archive:,}")
        with zipfile.ZipFile(source) as archive:
            yield _of_zip(source, archive, limits)
    except OSError as error:
        raise HarnessError(f"{source}: cannot be read: {error.strerror}") from error
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise _refused(source, f"not a zip: {printable(error)}") from error


def _of_folder(source: Path) -> list[_Entry]:
    entries = []
    for folder, folders, names in os.walk(source):
        for name in (*folders, *names):
            path = Path(folder) / name
            relative = path.relative_to(source).as_posix()
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode):
                continue
            if not stat.S_ISREG(status.st_mode):
                raise _refused(source, f"{printable(relative)}: not a plain file")
            entries.append(_of_file(path, relative, status.st_size))
    return entries


def _of_file(path: Path, name: str, size: int) -> _Entry:
    return _Entry(name=name, size=size, open=lambda: path.open("rb"))


def _of_zip(source: Path, archive: zipfile.ZipFile, limits: Limits) -> list[_Entry]:
    entries = []
    infos = archive.infolist()
    if len(infos) > 2 * limits.files:  # folders have entries, too
        raise _refused(source, f"{len(infos)} entries; at most {limits.files} are expected")
    for info in infos:
        shown = printable(info.filename)
        kind = stat.S_IFMT(info.external_attr >> 16)
        if info.is_dir():
            if not _inside(info.filename.rstrip("/")):
                raise _refused(source, f"{shown}: not a name that is expected")
            continue
        if kind not in {0, stat.S_IFREG}:
            raise _refused(source, f"{shown}: not a plain file")
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
            raise _refused(source, f"{shown}: encrypted, or compressed in an unusual way")
        if info.file_size > max(_SMALL, limits.ratio * info.compress_size):
            raise _refused(source, f"{shown}: unpacks to more than {limits.ratio} times its size")
        opens = partial(archive.open, info)
        entries.append(_Entry(name=info.filename, size=info.file_size, open=opens))
    return entries
