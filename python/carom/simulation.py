"""A simulation in this process: steps, arrays without a copy, forces by functions of the user."""
from __future__ import annotations

import ctypes as c
import math
import warnings
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

import numpy as np

from . import _library
from .deck import Deck, as_sets, unchecked
from .errors import CaromError, RunFailed, raise_for
from .views import view_of


class _Life:
    """The simulation in the library. It ends when nobody needs it any more: views keep it, so that none of them ever reads
    memory that is gone."""

    def __init__(self, lib: Any):
        self.lib, self.handle, self.closed = lib, c.c_void_p(), False
        _lives.add(self)

    def end(self) -> None:
        self.closed = True
        if self.handle:
            self.lib.carom_close(c.byref(self.handle))

    def __del__(self):
        self.end()


_lives: "weakref.WeakSet[_Life]" = weakref.WeakSet()
_left: List[_Life] = []  # to be closed at the end of the process


def close_all() -> None:
    for life in list(_lives):
        life.end()


def abandon_all() -> None:
    """Leaves all simulations as they are: closing one needs all its processes, and this one ends alone."""
    for life in list(_lives):
        life.handle = c.c_void_p()


class Body:
    """A body of a simulation. Arrays are views without a copy, valid until the next step: copy what must stay. After the
    end of the simulation they raise. With several processes a view has the nodes that the process owns; `array(name,
    gather=True)` is a copy of those of all processes, in the order of their numbers, which all processes must ask for.

    Deformable bodies: position, displacement, velocity, reference, contact_force, node. Rigid bodies: position,
    velocity, spin, rotation (a unit quaternion w, x, y, z), one row per copy."""

    def __init__(self, sim: "Simulation", name: str):
        self._sim, self.name = sim, name
        self.is_rigid = sim._lib.carom_is_rigid(sim._handle, name.encode()) == 1

    def array(self, name: str, gather: Optional[bool] = None) -> np.ndarray:
        """An array by its name in carom.h. `gather` is that of the simulation, unless it is given."""
        return self._sim._array(self.name, name, gather)

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
        reference = self.reference
        away = reference - np.asarray(point, float)[: reference.shape[1]]
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


class Loads:
    """Factors of the deck's loads: `sim.loads["push"] = 2` multiplies the force of this name by 2 from now on, in place of
    its ramp, wave or table. The key is the name of a condition, or its number in the deck."""

    def __init__(self, sim: "Simulation"):
        self._sim = sim

    def __setitem__(self, name: Union[str, int], factor: float) -> None:
        self._sim.set(f"conditions.{name}.factor", factor)


class Probe:
    """A probe of the deck at the present time: displacement, velocity and contact force of its node. `u` and `v` are
    other names of the first two."""

    def __init__(self, values: np.ndarray):
        self.displacement, self.velocity, self.contact_force = values.reshape(3, 3)
        self.u, self.v = self.displacement, self.velocity


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

    Under mpiexec all processes open it with the same deck and make the same calls. `comm` is a communicator of mpi4py;
    `gather` says whether arrays are those of all processes (copies), or the process's own (views).
    """

    def __init__(self, deck: Union[str, Deck, Mapping], sets: Mapping[str, Any] = {}, comm: Any = None,
                 gather: bool = False):
        self._life: Optional[_Life] = None
        self._lib = _library.library()
        self._kept: Dict[str, Any] = {}
        self._raised: Optional[BaseException] = None
        self._asking = False  # a force function is running
        self._said, self._gather = 0, gather
        source = deck if isinstance(deck, str) else unchecked(deck).text()  # carom_open checks it, with all processes
        n, words = _library.words(as_sets(sets))
        life = _Life(self._lib)
        status = self._lib.carom_open(_comm_address(comm), source.encode(), n, words, c.byref(life.handle))
        if status:
            raise_for(status, self._lib.carom_error(None).decode())
        self._life = life
        self._warn()

    # ---- life ----

    def close(self) -> None:
        """Ends the simulation. Closing twice is allowed. Views of it raise from now on."""
        self._refuse_within_force("close")
        if self._life is not None:
            self._life.closed = True
        self._life = None
        self._kept.clear()

    @property
    def _handle(self) -> Optional[c.c_void_p]:
        return self._life.handle if self._life is not None else None

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None and self._life is not None and _library.processes() > 1:
            _left.append(self._life)  # the others may not have failed, and would not close it too
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
        """Computes one accepted step. Returns False, and does nothing, if the end time of the deck was reached before."""
        return self._advance("carom_step")

    def advance(self, time: float) -> bool:
        """Computes steps until the time is at least `time`; none if it is that late already. Returns False if the end time
        of the deck came first."""
        if math.isnan(time):
            raise ValueError("advance needs a time, not nan")
        return self._advance("carom_advance", c.c_double(time))

    def _refuse_within_force(self, word: str) -> None:
        if self._asking:
            raise CaromError(f"a force function cannot {word} its simulation")

    def _advance(self, name: str, *arguments: Any) -> bool:
        self._refuse_within_force("step")
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
        return self._array(None, "pair-force", False)

    def __getitem__(self, body: str) -> Body:
        self._need()
        if body not in self._names("bodies"):
            raise KeyError(f"there is no body \"{body}\"; the bodies are {', '.join(self.bodies)}")
        return Body(self, body)

    def probe(self, name: str) -> Probe:
        """Returns the present values of a probe of output.probes, on every process."""
        values = np.zeros(9)
        self._call("carom_probe", name.encode(), values.ctypes.data_as(c.POINTER(c.c_double)))
        return Probe(values)

    def _array(self, body: Optional[str], name: str, gather: Optional[bool] = None) -> np.ndarray:
        whole = self._gather if gather is None else gather
        view = _library.View()
        self._call("carom_gather" if whole else "carom_array", body.encode() if body else None, name.encode(),
                   c.byref(view))
        kind = c.c_double if view.type == 0 else c.c_int
        if not view.rows:
            return np.zeros((0, view.columns), dtype=kind)
        found = view_of(self._life, view.data, kind, view.rows, view.columns)
        return np.array(found) if whole else found

    # ---- acting ----

    def set(self, key: str, value: float) -> None:
        """Changes a value that may change during a run: contact.N.friction, conditions.NAME.factor, time.end."""
        self._call("carom_set", key.encode(), c.c_double(value))

    @property
    def loads(self) -> Loads:
        return Loads(self)

    def on_force(self, body: Union[Body, str], function: Optional[Callable[..., Any]]) -> None:
        """Forces of one's own: `function(time, position, velocity)` returns forces in the shape of the positions. They
        are constant during a step, and their work is part of external_work. None removes the function. The first
        force on a body must come before the first step."""
        name = body.name if isinstance(body, Body) else body
        if function is not None and not callable(function):
            raise TypeError(f"on_force needs a function, not {type(function).__name__}")
        if function is None:
            callback = _library.FORCE()
        else:
            callback = _library.FORCE(lambda _, *given: self._force(name, function, *given))
        self._call("carom_on_force", name.encode(), callback, None)
        self._kept[f"force {name}"] = callback

    def _force(self, name, function, time, rows, columns, position, velocity, force) -> int:
        try:
            shape = (rows, columns)
            x, v = (view_of(self._life, a, c.c_double, *shape) if rows else np.zeros(shape) for a in (position, velocity))
            self._asking = True
            result = np.asarray(function(time, x, v), dtype=float)
            if result.shape != shape:
                raise ValueError(f"the forces on {name} have the shape {result.shape}, not {shape}")
            if not np.isfinite(result).all():
                raise ValueError(f"the forces on {name} are not all finite")
            if rows:
                c.memmove(force, np.ascontiguousarray(result).ctypes.data, result.nbytes)
        except BaseException as problem:  # it is raised again when the step returns
            self._raised = problem
            return 1
        finally:
            self._asking = False
        return 0

    # ---- memory ----

    def save(self) -> Saved:
        """Saves and returns the present state, for `restore`."""
        handle = c.c_void_p()
        self._call("carom_save", c.byref(handle))
        return Saved(self, handle)

    def restore(self, saved: Saved) -> None:
        """Returns to a saved state of this simulation; later steps continue from this state."""
        if not isinstance(saved, Saved):
            raise TypeError(f"restore needs what save() returned, not {type(saved).__name__}")
        self._refuse_within_force("restore")
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
