"""Films of runs: pictures by the program carom, joined to an animated PNG, or by ffmpeg to anything else."""
from __future__ import annotations

import pathlib
import shutil
import struct
import subprocess
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
    count, ffmpeg = len(run.frames), shutil.which("ffmpeg")
    if not count:
        raise CaromError(f"{run.folder}: the run has no frames")
    if path.suffix != ".png" and not ffmpeg:
        raise CaromError(f"{path}: ffmpeg is not there; a film named .png needs no other program")
    with tempfile.TemporaryDirectory(prefix="carom-") as work:
        for k in range(count):
            words = ["picture", str(run.folder), "-o", f"{work}/{k:06d}.png", "--frame", str(k), "--field", field, "--size",
                     str(size), "--range", "run", "--whole", *(["--view", view] if view else [])]
            status, lines = call(words)
            if status:
                raise_for(status, _message(lines))
        if path.suffix == ".png":
            path.write_bytes(join_png([p.read_bytes() for p in sorted(pathlib.Path(work).glob("*.png"))], fps))
            return path
        done = subprocess.run([ffmpeg, "-y", "-framerate", str(fps), "-i", f"{work}/%06d.png", "-pix_fmt", "yuv420p", "-vf",
                               "pad=ceil(iw/2)*2:ceil(ih/2)*2", str(path)], capture_output=True, text=True)
        if done.returncode:
            raise CaromError(f"{path}: ffmpeg failed: {done.stderr.strip().splitlines()[-1]}")
    return path
