"""The folder of a run, read with Python and NumPy alone."""
from __future__ import annotations

import builtins
import csv
import html
import io
import json
import os
import pathlib
import re
import warnings
import zlib
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union
from xml.etree import ElementTree

import numpy as np

from .errors import CaromError

_VECTORS = {"force": ("fx", "fy", "fz"), "position": ("x", "y", "z"), "displacement": ("ux", "uy", "uz"),
            "velocity": ("vx", "vy", "vz"), "momentum": ("px", "py", "pz"), "angular": ("jx", "jy", "jz"),
            "spin": ("spin_x", "spin_y", "spin_z"), "filtered": ("filtered_x", "filtered_y", "filtered_z")}


class Series(np.ndarray):
    """Rows of a table with their times in `time`; parts of the rows have none, columns do."""

    time: Optional[np.ndarray] = None

    def __array_finalize__(self, base: Any) -> None:
        time = getattr(base, "time", None)
        self.time = time if time is not None and self.shape[:1] == time.shape else None


class Table:
    """Columns of a table as NumPy arrays: `table["time"]`. A table with rows of several bodies, pairs or probes gives
    the rows of one of them by its name: `run.contacts["left-right"]`. Three columns of a vector are an attribute:
    `run.contacts["left-right"].force` has a row per time."""

    def __init__(self, columns: Dict[str, np.ndarray]):
        self._columns = columns

    @property
    def names(self) -> List[str]:
        return list(self._columns)

    def keys(self) -> List[str]:
        return self.names

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __getitem__(self, name: str) -> Any:
        if name in self._columns:
            return self._columns[name]
        for column, values in self._columns.items():
            if values.dtype.kind == "U" and (values == name).any():
                return self.where(**{column: name})
        raise KeyError(f"no column or row is named \"{name}\"; columns: {', '.join(self.names)}")

    def where(self, **words: str) -> "Table":
        """The rows in which these columns have these words: `bodies.where(body="left")`."""
        keep = np.ones(len(self), dtype=bool)
        for column, word in words.items():
            keep &= self._columns[column] == word
        return Table({name: values[keep] for name, values in self._columns.items()})

    def __getattr__(self, name: str) -> np.ndarray:
        parts = _VECTORS.get(name, ())
        if parts and all(p in self._columns for p in parts):
            rows = np.stack([self._columns[p] for p in parts], axis=1).view(Series)
            rows.time = self._columns.get("time")
            return rows
        if not name.startswith("_") and name in self._columns:
            return self._columns[name]
        raise AttributeError(name)

    def pandas(self):
        """Returns the table as a pandas.DataFrame; pandas must be installed."""
        import pandas
        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.names)}>"


def _read_numbers(path: pathlib.Path, names: Sequence[str], body: bytes) -> np.ndarray:
    """Rows of numbers only: one pass of NumPy's own parser."""
    if not body.strip():
        return np.zeros((0, len(names)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # NumPy's way to say: here is no number
        flat = np.fromstring(body.strip().replace(b"\n", b","), sep=",")
    if flat.size % len(names):
        raise CaromError(f"{path}: a row is not complete")
    return flat.reshape(-1, len(names))


def _is_number(text: str) -> bool:
    try:
        float(text or "nan")
    except ValueError:
        return False
    return True


def _read_words(path: pathlib.Path, names: Sequence[str], body: bytes) -> Dict[str, np.ndarray]:
    """Rows that hold words too. A column of numbers may have empty places, which are nan."""
    rows = list(csv.reader(io.StringIO(body.decode(), newline="")))
    if any(len(row) != len(names) for row in rows):
        raise CaromError(f"{path}: a row is not complete")
    columns = list(zip(*rows)) if rows else [()] * len(names)
    return {name: np.array([v or "nan" for v in values], dtype=float) if all(map(_is_number, values))
            else np.array(values, dtype=str) for name, values in zip(names, columns)}


def _read_rows(path: pathlib.Path) -> Dict[str, np.ndarray]:
    data = path.read_bytes()
    cut = data.rfind(b"\n") + 1  # a run that goes on may be in the middle of a row
    head, _, body = data[:cut].partition(b"\n")
    names = head.decode().strip().split(",")
    first = body.split(b"\n", 1)[0].decode()
    if all(map(_is_number, first.split(","))) and first.count(",") == len(names) - 1:
        try:
            block = _read_numbers(path, names, body)
            return {name: block[:, k] for k, name in enumerate(names)}
        except (ValueError, DeprecationWarning):
            pass
    return _read_words(path, names, body)


def read_table(path: Union[str, os.PathLike]) -> Table:
    """A table of a run. A long one is kept as a binary file beside it, which is read the next time."""
    path = pathlib.Path(path)
    cache = path.with_name(f".{path.name}.npz")
    mark = np.array([path.stat().st_size, path.stat().st_mtime_ns])
    if cache.exists():
        try:
            with np.load(cache, allow_pickle=False) as kept:
                if (kept["mark"] == mark).all():
                    block = kept["block"]
                    return Table({str(name): block[k] for k, name in enumerate(kept["names"])})
        except Exception:  # a damaged or foreign file is read anew
            pass
    columns = _read_rows(path)
    if mark[0] > 4_000_000 and not any(v.dtype.kind == "U" for v in columns.values()):
        _write_cache(cache, mark, columns)
    return Table(columns)


def _write_cache(cache: pathlib.Path, mark: np.ndarray, columns: Dict[str, np.ndarray]) -> None:
    part = cache.with_name(f"{cache.name}.{os.getpid()}")
    try:
        with builtins.open(part, "wb") as out:
            np.savez(out, mark=mark, names=np.array(list(columns)), block=np.stack(list(columns.values())))
        part.replace(cache)
    except OSError:  # a folder that cannot be written to has no cache
        part.unlink(missing_ok=True)


class Attributes(dict):
    """A dictionary whose keys are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Audit(Attributes):
    """audit.json. `balance` is the greatest error of the energy balance, over the greatest energy."""

    @property
    def balance(self) -> float:
        return self["balance_relative"]


# ---- frames --------------------------------------------------------------------------------------

_TYPES = {"Float64": "f8", "Float32": "f4", "Int64": "i8", "Int32": "i4", "UInt8": "u1"}


class Mesh:
    """Points and cells of a frame. `offsets` has one number more than there are cells."""

    def __init__(self, points: np.ndarray, connectivity: np.ndarray, offsets: np.ndarray, types: np.ndarray):
        self.points, self.connectivity, self.types = points, connectivity, types
        self.offsets = np.concatenate([[0], offsets]).astype(np.int64)

    @property
    def cells(self) -> List[np.ndarray]:
        """The nodes of each cell."""
        return [self.connectivity[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:])]

    def __len__(self) -> int:
        return len(self.types)


class Frame:
    """The fields of a run at one time: `frame["velocity"]` for all nodes, `frame.body("left", "velocity")` for one body.
    `point` and `cell` are dictionaries of all arrays."""

    def __init__(self, path: pathlib.Path, time: float, bodies: Sequence[str] = ()):
        self.path, self.time, self._bodies = path, time, list(bodies)
        self.point, self.cell, self.mesh = _read_vtu(path)

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.point:
            return self.point[name]
        raise KeyError(f"the frame has no field \"{name}\"; it has {', '.join(self.point)}")

    def nodes(self, body: Union[str, int]) -> np.ndarray:
        """The numbers of the points of a body, by its name or its number."""
        number = self._bodies.index(body) if isinstance(body, str) else body
        cells = np.flatnonzero(self.cell["body"] == number)
        parts = [self.mesh.connectivity[self.mesh.offsets[k]:self.mesh.offsets[k + 1]] for k in cells]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, dtype=int)

    def body(self, body: Union[str, int], field: str) -> np.ndarray:
        """A field at the points of one body."""
        return self[field][self.nodes(body)]

    def __repr__(self) -> str:
        return f"<Frame at t = {self.time:g}: {len(self.mesh.points)} points, {', '.join(self.point)}>"


def _unpack(data: bytes, at: int, dtype: str) -> np.ndarray:
    """An appended array: the number of blocks, their size, the size of the last, the compressed sizes, the blocks."""
    nblocks = int(np.frombuffer(data, "<u8", 1, at)[0])
    sizes = np.frombuffer(data, "<u8", nblocks, at + 24)
    at += 24 + 8 * nblocks
    blocks = []
    for size in sizes:
        blocks.append(zlib.decompress(data[at:at + int(size)]))
        at += int(size)
    return np.frombuffer(b"".join(blocks), "<" + dtype)


def _read_piece(path: pathlib.Path):
    data = path.read_bytes()
    cut = data.find(b"<AppendedData")
    start = data.find(b"_", cut) + 1
    if cut < 0:
        raise CaromError(f"{path}: is not a frame of carom")
    tree = ElementTree.fromstring(data[:cut] + b"</VTKFile>")
    arrays: Dict[str, Dict[str, np.ndarray]] = {}
    for group in ("PointData", "CellData", "Points", "Cells"):
        arrays[group] = {}
        for node in tree.iterfind(f".//{group}/DataArray"):
            width = int(node.get("NumberOfComponents", "1"))
            values = _unpack(data, start + int(node.get("offset")), _TYPES[node.get("type")])
            arrays[group][node.get("Name")] = values.reshape(-1, width) if width > 1 else values
    return arrays


def _read_vtu(path: pathlib.Path):
    if path.suffix == ".pvtu":
        tree = ElementTree.parse(path).getroot()
        pieces = [_read_piece(path.parent / node.get("Source")) for node in tree.iterfind(".//Piece")]
    else:
        pieces = [_read_piece(path)]
    join = lambda group, name: np.concatenate([p[group][name] for p in pieces])
    shifts = np.cumsum([0] + [len(p["Points"]["Points"]) for p in pieces])
    ends = np.cumsum([0] + [len(p["Cells"]["connectivity"]) for p in pieces])
    mesh = Mesh(join("Points", "Points"),
                np.concatenate([p["Cells"]["connectivity"] + s for p, s in zip(pieces, shifts)]),
                np.concatenate([p["Cells"]["offsets"] + e for p, e in zip(pieces, ends)]), join("Cells", "types"))
    return ({name: join("PointData", name) for name in pieces[0]["PointData"]},
            {name: join("CellData", name) for name in pieces[0]["CellData"]}, mesh)


class Frames:
    """The frames of a run; each is read when it is asked for."""

    def __init__(self, folder: pathlib.Path, bodies: Sequence[str]):
        self._bodies = list(bodies)
        index = folder / "fields.pvd"
        sets = ElementTree.parse(index).getroot().iterfind(".//DataSet") if index.exists() else []
        self._files = [(folder / s.get("file"), float(s.get("timestep"))) for s in sets]

    @property
    def times(self) -> np.ndarray:
        return np.array([t for _, t in self._files])

    def __len__(self) -> int:
        return len(self._files)

    def __getitem__(self, k: int) -> Frame:
        path, time = self._files[k]
        return Frame(path, time, self._bodies)

    def at(self, time: float) -> Frame:
        """The frame nearest to a time."""
        return self[int(np.argmin(np.abs(self.times - time)))]


# ---- runs ----------------------------------------------------------------------------------------

class Run:
    """The results of a run: tables, audit, frames, log. In a notebook it shows its animated page."""

    _tables = ("history", "bodies", "contacts", "probes", "events", "extremes", "reactions")

    def __init__(self, folder: Union[str, os.PathLike]):
        self.folder = pathlib.Path(folder)
        if not (self.folder / "history.csv").exists():
            raise CaromError(f"{self.folder}: is not the folder of a run (history.csv is missing)")

    def __getattr__(self, name: str) -> Any:
        if name not in self._tables:
            raise AttributeError(name)
        path = self.folder / f"{name}.csv"
        if not path.exists():
            raise AttributeError(f"{self.folder} has no {name}.csv")
        table = read_table(path)
        self.__dict__[name] = table
        return table

    @property
    def audit(self) -> Audit:
        """audit.json; a run that was stopped has none."""
        path = self.folder / "audit.json"
        if not path.exists():
            raise CaromError(f"{self.folder}: the run is not complete; continue it with: carom resume {self.folder}")
        return json.loads(path.read_text(), object_hook=Audit)

    @property
    def completed(self) -> bool:
        path = self.folder / "audit.json"
        return path.exists() and bool(self.audit.completed)

    @property
    def frames(self) -> Frames:
        names = list(dict.fromkeys(self.bodies["body"].tolist())) if (self.folder / "bodies.csv").exists() else []
        return Frames(self.folder, names)

    def frame(self, k: int) -> Frame:
        return self.frames[k]

    @property
    def log(self) -> str:
        return (self.folder / "log.txt").read_text()

    @property
    def page(self) -> pathlib.Path:
        """The animated page of the run."""
        return self.folder / "report.html"

    def show(self, field: Optional[str] = None, height: int = 640):
        """The page inside a notebook, coloured by a field such as "von-mises"."""
        text = self._repr_html_(height, field)
        try:
            from IPython.display import HTML
        except ImportError:
            return text  # no notebook is there to show it
        return HTML(text)

    def _repr_html_(self, height: int = 640, field: Optional[str] = None) -> str:
        if not self.page.exists():
            return html.escape(repr(self))
        page = self.page.read_text()
        if field is not None:
            page = page.replace("<html", f'<html data-field="{html.escape(field, quote=True)}"', 1)
        inner = html.escape(page, quote=True)
        return f'<iframe srcdoc="{inner}" width="100%" height="{height}" style="border:0"></iframe>'

    def save_film(self, path: Union[str, os.PathLike], field: str = "von-mises", fps: float = 20, size: str = "960",
                  view: Optional[str] = None) -> pathlib.Path:
        """The frames as a film: .png (an animated PNG, which browsers show) always; .mp4, .webm and .gif by ffmpeg.
        It needs the program carom."""
        from .film import save_film
        return save_film(self, pathlib.Path(path), field, fps, size, view)

    def __repr__(self) -> str:
        return f"<Run {self.folder}{'' if self.completed else ', not completed'}>"


def open(folder: Union[str, os.PathLike]) -> Run:
    """The results in a folder. This needs neither the program nor its library."""
    return Run(folder)


def smooth(time: Sequence[float], values: Optional[Sequence[float]] = None, window: float = 0) -> np.ndarray:
    """The mean of a curve over the time `window` around each point. Integrals over whole windows are exact. Vectors of a
    table know their times: `smooth(run.contacts["pair"].force[:, 0], window=1e-3)`."""
    if values is None:
        values, time = time, getattr(time, "time", None)
        if time is None:
            raise TypeError("these values have no times; call smooth(time, values, window)")
    time, values = np.asarray(time, float), np.asarray(values, float)
    if not window > 0:
        raise ValueError("the window must be greater than zero")
    if len(values) != len(time):
        raise ValueError(f"there are {len(time)} times and {len(values)} values")
    steps = np.diff(time, prepend=time[:1])
    shape = (-1,) + (1,) * (values.ndim - 1)
    integral = np.cumsum(values * steps.reshape(shape), axis=0)
    left, right = np.maximum(time - window / 2, time[0]), np.minimum(time + window / 2, time[-1])
    width = np.where(right > left, right - left, 1)
    flat = integral.reshape(len(time), -1)
    means = [(np.interp(right, time, column) - np.interp(left, time, column)) / width for column in flat.T]
    return np.stack(means, axis=1).reshape(values.shape)


_PERCENT = re.compile(r"^\s*(\d+) %")


def percent_of(line: str) -> Optional[int]:
    """The percentage of a progress line of the program."""
    found = _PERCENT.match(line)
    return int(found[1]) if found else None
