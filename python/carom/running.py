"""Runs with files, by the program carom in a process of its own."""
from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _library
from .deck import Deck, as_sets
from .errors import DeckError, raise_for
from .results import Run, percent_of, read_table


class Bar:
    """Shows progress: by tqdm if it is installed, else as a line on the terminal."""

    def __init__(self, total: int, words: str, show: Optional[bool]):
        self.total, self.words, self.done, self._tqdm = total, words, 0, None
        self.show = (sys.stderr.isatty() or "ipykernel" in sys.modules) if show is None else show
        if self.show:
            try:
                from tqdm.auto import tqdm
                self._tqdm = tqdm(total=total, desc=words)
            except ImportError:
                pass

    def move(self, done: int) -> None:
        if self._tqdm is not None:
            self._tqdm.update(done - self.done)
        elif self.show and done != self.done:
            print(f"\r{self.words}: {done}/{self.total}", end="", file=sys.stderr, flush=True)
        self.done = done

    def close(self) -> None:
        if self._tqdm is not None:
            self._tqdm.close()
        elif self.show:
            print(file=sys.stderr)


class _DeckFile:
    """The deck as a file that the program can read: the user's own, or a temporary one."""

    def __init__(self, deck: Union[str, os.PathLike, Deck, Mapping]):
        plain = isinstance(deck, (str, os.PathLike)) and "\n" not in os.fspath(deck)
        self.path = os.fspath(deck) if plain else None
        self._text = None if plain else (deck if isinstance(deck, Deck) else Deck(deck)).text()
        self._folder: Optional[tempfile.TemporaryDirectory] = None

    def __enter__(self) -> str:
        if self.path is not None:
            return self.path
        self._folder = tempfile.TemporaryDirectory(prefix="carom-")
        path = pathlib.Path(self._folder.name) / "deck.yaml"
        path.write_text(self._text)
        return str(path)

    def __exit__(self, *_: Any) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _environment() -> Dict[str, str]:
    """Returns the environment of this process, without the variables that its own MPI has set."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "ORTE_", "HWLOC_"))}


def _message(lines: List[str]) -> str:
    own = [line[len("carom: "):] for line in lines if line.startswith("carom: ") and "warning:" not in line]
    return own[-1] if own else "\n".join(lines[-5:])


def call(words: Sequence[str], bar: Optional[Bar] = None, processes: int = 1):
    """Runs the program. Ctrl-C is passed on, so that the program leaves a checkpoint. Returns its exit code and what
    it said on standard error."""
    start = ["mpiexec", "--oversubscribe", "-n", str(processes)] if processes > 1 else []
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen([*start, _library.program(), *words], stdout=subprocess.PIPE, stderr=errors, text=True,
                                 env=_environment(), start_new_session=True)
        try:
            for line in child.stdout:
                if bar is not None and percent_of(line) is not None:
                    bar.move(percent_of(line))
            child.wait()
        except BaseException:
            child.send_signal(signal.SIGINT)
            child.wait()
            raise
        finally:
            child.stdout.close()
        errors.seek(0)
        return child.returncode, errors.read().splitlines()


def run(deck: Union[str, os.PathLike, Deck, Mapping], folder: Union[str, os.PathLike], sets: Mapping[str, Any] = {},
        force: bool = False, processes: int = 1, progress: Optional[bool] = None) -> Run:
    """Runs a deck; its results go to a folder. A failed run is a RunFailed, with what it has written in `.run`.

    An older run in the folder stays, and is an error, unless `force` is true. Ctrl-C leaves a checkpoint, from which
    `carom resume` goes on."""
    if processes < 1:
        raise ValueError(f"a run needs at least one process, not {processes}")
    bar = Bar(100, pathlib.Path(folder).name, progress)
    with _DeckFile(deck) as path:
        words = ["run", path, "-o", os.fspath(folder), *(["--force"] if force else [])]
        for text in as_sets(sets):
            words += ["--set", text]
        try:
            status, lines = call(words, bar, processes)
        finally:
            bar.close()
    if status:
        written = Run(folder) if status in (1, 130) and (pathlib.Path(folder) / "history.csv").exists() else None
        raise_for(1 if status == 130 else status, _message(lines), written)
    return Run(folder)


class Convergence:
    """The table of `carom converge`: the estimated errors of the results of a deck. `folder` holds converge.csv and converge.html."""

    def __init__(self, folder: Union[str, os.PathLike], ratio: float = 2):
        self.folder, self.ratio = pathlib.Path(folder), ratio
        self.table = read_table(self.folder / "converge.csv")

    def _repr_html_(self) -> str:
        return Run._repr_html_(self)  # type: ignore[arg-type]

    @property
    def page(self) -> pathlib.Path:
        return self.folder / "converge.html"

    def plot(self, axes: Any = None) -> Any:
        """The stated errors against the refinement, in double logarithms. It needs matplotlib."""
        if axes is None:
            import matplotlib.pyplot as plt
            axes = plt.gca()
        levels = sum(name.startswith("value_") for name in self.table)
        for k, name in enumerate(self.table["quantity"]):
            errors = [abs(float(self.table[f"error_{level}"][k])) for level in range(levels)]
            axes.loglog([self._refined(level) for level in range(levels)], errors, marker="o", label=str(name))
        axes.set_xlabel("size of step or element, first level = 1")
        axes.set_ylabel("stated error")
        axes.legend()
        return axes

    def _refined(self, level: int) -> float:
        return self.ratio ** -level

    def __repr__(self) -> str:
        return f"<Convergence {self.folder}>"


def converge(deck: Union[str, os.PathLike, Deck, Mapping], folder: Union[str, os.PathLike], of: str = "step",
             levels: int = 3, workers: int = 1, quantities: Sequence[str] = (), force: bool = False) -> Convergence:
    """Runs a deck at finer and finer steps or meshes, and estimates the errors of its results (carom converge)."""
    with _DeckFile(deck) as path:
        words = ["converge", path, "--of", of, "--levels", str(levels), "--workers", str(workers), "-o",
                 os.fspath(folder), *(["--force"] if force else [])]
        if quantities:
            words += ["--quantities", ",".join(quantities)]
        status, lines = call(words)
    if status:
        raise_for(status, _message(lines))
    return Convergence(folder)


def convergence(deck: Union[str, os.PathLike, Deck, Mapping], key: str = "time.step", levels: int = 3,
                of: Union[str, Sequence[str]] = (), folder: Union[str, os.PathLike, None] = None) -> Convergence:
    """The same by the key that is refined, `time.step` or `mesh`, and the quantities in `of`. What was run before in the
    folder is not run again."""
    words = {"time.step": "step", "time.steps": "step", "step": "step", "mesh": "mesh", "both": "both"}
    if key not in words:
        raise DeckError(f"cannot refine \"{key}\"; time.step, mesh and both can be refined")
    return converge(deck, folder or f"converge-{words[key]}.out", words[key], levels, quantities=[of] if isinstance(of, str) else of)
