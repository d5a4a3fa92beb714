"""A simulation in this process: steps, arrays without a copy, forces of one's own."""
from __future__ import annotations

import ctypes as c
import warnings
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

import numpy as np

from . import _library
from .deck import Deck, as_deck, as_sets
from .errors import CaromError, RunFailed, raise_for

class _Life:
    """The simulation in the library. It ends when nobody needs it any more: views keep it, so that none of them ever reads
    memory that is gone."""

    def __init__(self, lib: Any):
        self.lib, self.handle = lib, c.c_void_p()
        _lives.add(self)

    def end(self) -> None:
        if self.handle:
            self.lib.carom_close(c.byref(self.handle))

    def __del__(self):
        self.end()


_lives: "weakref.WeakSet[_Life]" = weakref.WeakSet()


def close_all() -> None:
    for life in list(_lives):
        life.end()


class Body:
    """A body of a simulation. Arrays are views without a copy, valid until the next step: copy what must stay.

    Deformable bodies: position, displacement, velocity, reference, contact_force, node. Rigid bodies: position,
    velocity, spin, rotation (a unit quaternion w, x, y, z), one row per copy."""

    def __init__(self, sim: "Simulation", name: str):
        self._sim, self.name = sim, name
        self.is_rigid = sim._lib.carom_is_rigid(sim._handle, name.encode()) == 1

    def array(self, name: str) -> np.ndarray:
        return self._sim._array(self.name, name)

    @property
    def position(self) -> np.ndarray:
        return self.array("position")

    @property
    def velocity(self) -> np.ndarray:
        return self.array("velocity")

    @property
    def displacement(self) -> np.ndarray:
        return self.array("displacement")

    @property
    def reference(self) -> np.ndarray:
        return self.array("reference")

    @property
    def contact_force(self) -> np.ndarray:
        return self.array("contact-force")

    @property
    def node(self) -> np.ndarray:
        """Numbers of the nodes in the mesh of the body, from 0."""
        return self.array("node")[:, 0]

    @property
    def spin(self) -> np.ndarray:
        return self.array("spin")

    @property
    def rotation(self) -> np.ndarray:
        return self.array("rotation")

    def nearest(self, point) -> int:
        """The row of the node that is nearest to a point of the undeformed mesh."""
        away = self.reference - np.asarray(point, float)[: self.reference.shape[1]]
        return int(np.argmin((away * away).sum(axis=1)))

    def __repr__(self) -> str:
        return f"<{'rigid body' if self.is_rigid else 'body'} {self.name}>"


class Ledger(Mapping):
    """The energies of a simulation at the present time. The names are the columns of history.csv."""

    def __init__(self, sim: "Simulation"):
        self._sim = sim

    def __getitem__(self, name: str) -> float:
        value = c.c_double()
        if name not in self._sim._names("ledger"):
            raise KeyError(name)
        self._sim._call("carom_ledger", name.encode(), c.byref(value))
        return value.value

    def __iter__(self) -> Iterator[str]:
        return iter(self._sim._names("ledger"))

    def __len__(self) -> int:
        return len(self._sim._names("ledger"))


class Saved:
    """A state of a simulation, kept in memory."""

    def __init__(self, sim: "Simulation", handle: c.c_void_p):
        self._sim, self._handle = sim, handle

    def __del__(self):
        if self._handle and _library._loaded is not None:
            self._sim._lib.carom_forget(c.byref(self._handle))


class Simulation:
    """Opens a deck in this process. It writes no files.

    >>> with Simulation("impact.yaml", {"contact.0.friction": 0.3}) as sim:
    ...     while sim.step():
    ...         print(sim.time, sim.ledger["kinetic"])
    """

    def __init__(self, deck: Union[str, Deck, Mapping], sets: Mapping[str, Any] = {}, comm: Any = None):
        self._life: Optional[_Life] = None
        self._lib = _library.library()
        self._kept: Dict[str, Any] = {}
        self._raised: Optional[BaseException] = None
        self._said = 0
        source = deck if isinstance(deck, str) and "\n" not in deck else as_deck(deck).text()
        n, words = _library.words(as_sets(sets))
        life = _Life(self._lib)
        status = self._lib.carom_open(_comm_address(comm), source.encode(), n, words, c.byref(life.handle))
        if status:
            raise_for(status, self._lib.carom_error(None).decode())
        self._life = life
        self._warn()

    # ---- life ----

    def close(self) -> None:
        """Ends the simulation. Closing twice is allowed. Views that still exist keep their numbers."""
        self._life = None
        self._kept.clear()

    @property
    def _handle(self) -> Optional[c.c_void_p]:
        return self._life.handle if self._life is not None else None

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        return bool(self._handle)

    def _need(self) -> None:
        if not self._handle:
            raise CaromError("the simulation is closed")

    def _call(self, name: str, *arguments: Any) -> None:
        self._need()
        status = getattr(self._lib, name)(self._handle, *arguments)
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        if status:
            raise_for(status, self._lib.carom_error(self._handle).decode())

    def _warn(self) -> None:
        """Warnings of carom as warnings of Python, each once."""
        lines = self.warnings
        for line in lines[self._said:]:
            warnings.warn(line, stacklevel=3)
        self._said = len(lines)

    # ---- steps ----

    def step(self) -> bool:
        """Takes one accepted step. False: the end of the deck was reached before, and nothing was done."""
        return self._advance("carom_step")

    def advance(self, time: float) -> bool:
        """Takes steps until the time is at least `time`. False: no step was left."""
        return self._advance("carom_advance", c.c_double(time))

    def _advance(self, name: str, *arguments: Any) -> bool:
        outcome = c.c_int()
        self._call(name, *arguments, c.byref(outcome))
        if outcome.value == _library.GAVE_UP:
            raise RunFailed(self._lib.carom_error(self._handle).decode())
        return outcome.value == _library.STEPPED

    @property
    def time(self) -> float:
        self._need()
        return self._lib.carom_time(self._handle)

    @property
    def steps(self) -> int:
        self._need()
        return self._lib.carom_steps(self._handle)

    @property
    def dimension(self) -> int:
        self._need()
        return self._lib.carom_count(self._handle, b"dimension")

    # ---- what there is ----

    def _names(self, what: str) -> List[str]:
        self._need()
        if what not in self._kept:
            n = self._lib.carom_count(self._handle, what.encode())
            self._kept[what] = [self._lib.carom_name(self._handle, what.encode(), k).decode() for k in range(n)]
        return self._kept[what]

    @property
    def bodies(self) -> List[str]:
        return list(self._names("bodies"))

    @property
    def pairs(self) -> List[str]:
        return list(self._names("pairs"))

    @property
    def ledger(self) -> Ledger:
        return Ledger(self)

    @property
    def warnings(self) -> List[str]:
        self._need()
        return self._lib.carom_warnings(self._handle).decode().splitlines()

    @property
    def pair_force(self) -> np.ndarray:
        """The force on the first body of each pair in the last step, a row per pair."""
        return self._array(None, "pair-force")

    def __getitem__(self, body: str) -> Body:
        self._need()
        if body not in self._names("bodies"):
            raise KeyError(f"there is no body \"{body}\"; there are {', '.join(self.bodies)}")
        return Body(self, body)

    def _array(self, body: Optional[str], name: str) -> np.ndarray:
        view = _library.View()
        self._call("carom_array", body.encode() if body else None, name.encode(), c.byref(view))
        kind = c.c_double if view.type == 0 else c.c_int
        if not view.rows:
            return np.zeros((0, view.columns))
        block = (kind * (view.rows * view.columns)).from_address(view.data)
        block.life = self._life  # the memory stays as long as the array does
        array = np.ctypeslib.as_array(block)
        array = array.reshape(view.rows, view.columns)
        array.flags.writeable = False
        return array

    # ---- acting ----

    def set(self, key: str, value: float) -> None:
        """Changes what may change while a run goes on: contact.N.friction, time.end."""
        self._call("carom_set", key.encode(), c.c_double(value))

    def on_force(self, body: Union[Body, str], function: Optional[Callable[..., Any]]) -> None:
        """Forces of one's own: `function(time, position, velocity)` returns forces in the shape of the positions. They
        are constant during a step, and their work is part of external_work. None removes the function. The first
        force on a body must come before the first step."""
        name = body.name if isinstance(body, Body) else body
        if function is None:
            callback = _library.FORCE()
        else:
            callback = _library.FORCE(lambda _, *given: self._force(name, function, *given))
        self._call("carom_on_force", name.encode(), callback, None)
        self._kept[f"force {name}"] = callback

    def _force(self, name, function, time, rows, columns, position, velocity, force) -> int:
        try:
            shape = (rows, columns)
            x, v = (np.ctypeslib.as_array(a, shape) for a in (position, velocity))
            x.flags.writeable = v.flags.writeable = False
            result = np.asarray(function(time, x, v), dtype=float)
            if result.shape != shape:
                raise ValueError(f"the forces on {name} have the shape {result.shape}, not {shape}")
            if not np.isfinite(result).all():
                raise ValueError(f"the forces on {name} are not all finite")
            np.ctypeslib.as_array(force, shape)[:] = result
        except BaseException as problem:  # it is raised again when the step returns
            self._raised = problem
            return 1
        return 0

    # ---- memory ----

    def save(self) -> Saved:
        """The present state, to come back to."""
        handle = c.c_void_p()
        self._call("carom_save", c.byref(handle))
        return Saved(self, handle)

    def restore(self, saved: Saved) -> None:
        """Goes back to a saved state of this simulation; all continues as from there."""
        if saved._sim is not self:
            raise CaromError("the saved state belongs to another simulation")
        self._call("carom_restore", saved._handle)

    def __repr__(self) -> str:
        return f"<Simulation at t = {self.time:g}>" if self._handle else "<Simulation, closed>"


def _comm_address(comm: Any) -> Optional[int]:
    """The address of the MPI communicator of mpi4py."""
    if comm is None:
        return None
    from mpi4py import MPI
    return MPI._addressof(comm)
