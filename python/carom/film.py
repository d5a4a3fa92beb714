"""Films of runs, by `carom film`. An animated PNG is joined here from its pictures."""
from __future__ import annotations

import pathlib
import struct
import tempfile
import zlib
from typing import Any, Iterator, List, Optional, Tuple

from .errors import CaromError, raise_for
from .running import _message, call


def _chunks(data: bytes) -> Iterator[Tuple[bytes, bytes]]:
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
        at += size + 12


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def join_png(pictures: List[bytes], fps: float) -> bytes:
    """An animated PNG of pictures of the same size, by the rules of the APNG format."""
    heads = [dict(_chunks(p))[b"IHDR"] for p in pictures]
    if any(head != heads[0] for head in heads):
        raise CaromError("the pictures of a film must all have the same size")
    parts, number = [_chunk(b"IHDR", heads[0]), _chunk(b"acTL", struct.pack(">II", len(pictures), 0))], 0
    for k, picture in enumerate(pictures):
        control = struct.pack(">I8sIIHHBB", number, heads[0][:8], 0, 0, round(1000 / fps), 1000, 0, 0)
        parts.append(_chunk(b"fcTL", control))
        number += 1
        for kind, body in _chunks(picture):
            if kind == b"PLTE" and k == 0:
                parts.insert(2, _chunk(kind, body))
            if kind != b"IDAT":
                continue
            parts.append(_chunk(b"fdAT", struct.pack(">I", number) + body) if k else _chunk(b"IDAT", body))
            number += 1 if k else 0
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + _chunk(b"IEND", b"")


def save_film(run: Any, path: pathlib.Path, field: str, fps: float, size: str, view: Optional[str]) -> pathlib.Path:
    """The film that `carom film` makes; for an animated PNG its pictures, joined here."""
    with tempfile.TemporaryDirectory(prefix="carom-") as work:
        to = f"{work}/pictures" if path.suffix == ".png" else str(path)
        words = ["film", str(run.folder), "-o", to, "--field", field, "--size", str(size), "--fps", str(fps)]
        status, lines = call(words + (["--view", view] if view else []))
        if status:
            raise_for(status, _message(lines))
        if path.suffix == ".png":
            path.write_bytes(join_png([p.read_bytes() for p in sorted(pathlib.Path(to).glob("*.png"))], fps))
    return path
