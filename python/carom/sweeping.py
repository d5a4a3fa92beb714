"""Sweeps over parameters: a folder per point, resumable, on all cores."""
from __future__ import annotations

import concurrent.futures
import csv
import itertools
import json
import os
import pathlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from .deck import Deck, _plain, as_deck
from .errors import CaromError, RunFailed
from .results import Run
from .running import Bar, call, _message


class Sweep:
    """The runs of a sweep. `table` is a structured array: the parameters, `status`, and what was measured. `failures` says
    which points failed and why. A sweep is a sequence of its runs; a failed point is None."""

    def __init__(self, folder: pathlib.Path, points: List[Dict[str, Any]], runs: List[Optional[Run]],
                 failures: Dict[int, str], measured: List[Dict[str, Any]]):
        self.folder, self.points, self.runs, self.failures = folder, points, runs, failures
        self.array = _structured(points, failures, measured)
        _write_csv(folder / "sweep.csv", self.array)

    def table(self, *names: str):
        """Parameters and numbers of audit.json by name; a pandas.DataFrame if pandas is there, else a structured array."""
        rows = [{name: _number(run.audit.get(name)) if run else np.nan for name in names} for run in self.runs]
        array = _structured(self.points, self.failures, rows)
        try:
            import pandas
        except ImportError:
            return array
        return pandas.DataFrame(array)

    def __getitem__(self, name: Union[int, str]):
        return self.array[name] if isinstance(name, str) else self.runs[name]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self):
        return iter(self.runs)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} runs in {self.folder}, {len(self.failures)} failed>"


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else np.nan


def _structured(points, failures, measured) -> np.ndarray:
    rows = [{**point, "status": "failed" if k in failures else "done", **m}
            for k, (point, m) in enumerate(zip(points, measured))]
    names = list(dict.fromkeys(itertools.chain.from_iterable(rows)))
    columns = {}
    for name in names:
        values = [row.get(name, np.nan) for row in rows]
        simple = all(isinstance(v, (int, float, np.number)) for v in values)
        columns[name] = np.array(values, dtype=float) if simple else np.array([str(v) for v in values])
    array = np.zeros(len(rows), dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        array[name] = column
    return array


def _write_csv(path: pathlib.Path, array: np.ndarray) -> None:
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(array.dtype.names or [])
        rows.writerows([v.item() if hasattr(v, "item") else v for v in row] for row in array)
    part.replace(path)


def _is_done(folder: pathlib.Path, text: str) -> bool:
    kept = folder / "deck.yaml"
    if not kept.exists() or kept.read_text() != text or not (folder / "out" / "audit.json").exists():
        return False
    return Run(folder / "out").completed


def _run_point(folder: pathlib.Path, text: str) -> Optional[str]:
    """Runs a point, unless its results exist. Returns the reason if the run failed, else None."""
    if _is_done(folder, text):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.yaml").write_text(text)
    status, lines = call(["run", str(folder / "deck.yaml"), "-o", str(folder / "out"), "--force"])
    return None if status == 0 else _message(lines)


def sweep(deck: Union[str, os.PathLike, Deck, Mapping], over: Mapping[str, Sequence[Any]],
          measure: Optional[Callable[[Run], Mapping[str, Any]]] = None, workers: Optional[int] = None,
          folder: Union[str, os.PathLike] = "sweep.out", progress: Optional[bool] = None, jobs: Optional[int] = None,
          cache: Union[str, os.PathLike, None] = None) -> Sweep:
    """Runs a deck at all combinations of parameters, in several processes. `over` maps keys of the deck to values.
    `measure` gets each run and returns numbers for the table; without it the table has the friction loss, the final
    energy and the balance. Points that are done already are not run again. A point that fails does not stop the others.
    `jobs` and `cache` are other names for `workers` and `folder`."""
    base, place = as_deck(deck), pathlib.Path(cache if cache is not None else folder)
    if not over:
        raise CaromError("a sweep needs at least one key with values")
    keys = list(over)
    for key, values in over.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise TypeError(f"the values of {key} must be a list, not {values!r}")
    points = [dict(zip(keys, map(_plain, values))) for values in itertools.product(*over.values())]
    texts = [base.text(point) for point in points]
    Deck(json.loads(texts[0]), folder=base.folder)  # a mistake in a key is found before anything runs
    place.mkdir(parents=True, exist_ok=True)
    folders = [place / f"{k:04d}" for k in range(len(points))]
    bar, failures = Bar(len(points), place.name, progress), {}
    many = workers or jobs or os.cpu_count() or 1
    pool = concurrent.futures.ThreadPoolExecutor(many)
    try:
        futures = {pool.submit(_run_point, *args): k for k, args in enumerate(zip(folders, texts))}
        for count, future in enumerate(concurrent.futures.as_completed(futures), 1):
            reason = future.result()
            if reason is not None:
                failures[futures[future]] = reason
            bar.move(count)
    finally:
        pool.shutdown(cancel_futures=True)
        bar.close()
    runs = [None if k in failures else Run(folders[k] / "out") for k in range(len(points))]
    measured = [dict((measure or _usual)(run)) if run else {} for run in runs]
    return Sweep(place, points, runs, failures, measured)


def _usual(run: Run) -> Dict[str, float]:
    audit = run.audit
    return {name: _number(audit.get(name)) for name in ("friction_loss", "energy_final", "balance_relative")}
