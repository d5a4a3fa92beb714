"""Finds, checks and starts libcarom.so through ctypes, once per process."""
from __future__ import annotations

import atexit
import ctypes as c
import ctypes.util
import os
import pathlib
import shutil
import sys
from typing import Optional

from .errors import MachineError

API = 1  # CAROM_API of the header for which this module was written

STEPPED, END, GAVE_UP = 0, 1, 2
FORCE = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_double, c.c_long, c.c_long, c.c_void_p, c.c_void_p, c.c_void_p)


class View(c.Structure):
    _fields_ = [("data", c.c_void_p), ("type", c.c_int), ("rows", c.c_long), ("columns", c.c_long)]


_SIGNATURES = {
    "carom_version": (c.c_char_p,),
    "carom_api": (c.c_int,),
    "carom_start": (c.c_int, c.c_void_p, c.c_void_p),
    "carom_stop": (c.c_int,),
    "carom_open": (c.c_int, c.c_void_p, c.c_char_p, c.c_int, c.POINTER(c.c_char_p), c.POINTER(c.c_void_p)),
    "carom_close": (c.c_int, c.POINTER(c.c_void_p)),
    "carom_error": (c.c_char_p, c.c_void_p),
    "carom_warnings": (c.c_char_p, c.c_void_p),
    "carom_step": (c.c_int, c.c_void_p, c.POINTER(c.c_int)),
    "carom_advance": (c.c_int, c.c_void_p, c.c_double, c.POINTER(c.c_int)),
    "carom_time": (c.c_double, c.c_void_p),
    "carom_steps": (c.c_long, c.c_void_p),
    "carom_count": (c.c_long, c.c_void_p, c.c_char_p),
    "carom_name": (c.c_char_p, c.c_void_p, c.c_char_p, c.c_long),
    "carom_is_rigid": (c.c_int, c.c_void_p, c.c_char_p),
    "carom_array": (c.c_int, c.c_void_p, c.c_char_p, c.c_char_p, c.POINTER(View)),
    "carom_gather": (c.c_int, c.c_void_p, c.c_char_p, c.c_char_p, c.POINTER(View)),
    "carom_probe": (c.c_int, c.c_void_p, c.c_char_p, c.POINTER(c.c_double)),
    "carom_ledger": (c.c_int, c.c_void_p, c.c_char_p, c.POINTER(c.c_double)),
    "carom_set": (c.c_int, c.c_void_p, c.c_char_p, c.c_double),
    "carom_on_force": (c.c_int, c.c_void_p, c.c_char_p, FORCE, c.c_void_p),
    "carom_save": (c.c_int, c.c_void_p, c.POINTER(c.c_void_p)),
    "carom_restore": (c.c_int, c.c_void_p, c.c_void_p),
    "carom_forget": (c.c_int, c.POINTER(c.c_void_p)),
    "carom_deck": (c.c_int, c.c_char_p, c.c_int, c.POINTER(c.c_char_p), c.POINTER(c.c_void_p)),
    "carom_free": (None, c.c_void_p),
}

_loaded: Optional[c.CDLL] = None
_process: Optional[int] = None
_failed = False


def _places():
    """Returns the paths where the library may be: given by the user, beside the repository of this module, or installed."""
    if os.environ.get("CAROM_LIBRARY"):
        yield os.environ["CAROM_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve()
    yield here.parents[2] / "build" / "libcarom.so"
    program = shutil.which("carom")
    if program:
        yield pathlib.Path(program).resolve().parent / "libcarom.so"
    for prefix in (here.parents[4] if len(here.parents) > 4 else here.parent, pathlib.Path("/usr/local"),
                   pathlib.Path("/usr")):
        yield from sorted(prefix.glob("lib/libcarom.so.*"))
        yield from sorted(prefix.glob("lib/*/libcarom.so.*"))
    found = ctypes.util.find_library("carom")
    if found:
        yield found


def _load() -> c.CDLL:
    for place in _places():
        if os.sep in str(place) and not os.path.exists(place):
            continue
        try:
            return c.CDLL(str(place), mode=c.RTLD_GLOBAL)
        except OSError as problem:
            raise MachineError(f"{place} cannot be loaded: {problem}") from None
    raise MachineError("libcarom.so was not found: build carom, install it, or name the file in CAROM_LIBRARY")


def library() -> c.CDLL:
    """Returns the library, after starting it. A process that was forked after the start cannot use it."""
    global _loaded, _process
    if _loaded is not None:
        if _process != os.getpid():
            raise MachineError("carom was started before this process was forked; start new processes with the method "
                               "spawn, as carom.sweep does")
        return _loaded
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    lib = _load()
    try:
        for name, (result, *arguments) in _SIGNATURES.items():
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as missing:
        raise MachineError(f"{lib._name} is older than this module: {missing}") from None
    if lib.carom_api() != API:
        raise MachineError(f"{lib._name} has interface version {lib.carom_api()}, but this module needs version {API}; install matching versions")
    if lib.carom_start(None, None):
        raise MachineError(lib.carom_error(None).decode())
    _loaded, _process = lib, os.getpid()
    atexit.register(_stop)
    _watch_for_ends()
    return lib


def _watch_for_ends() -> None:
    """Notes when an exception that nobody catches ends the script. Others may then wait for this process for ever; so it
    must not end as if all were well (_stop)."""
    before = sys.excepthook

    def note(*what) -> None:
        global _failed
        _failed = True
        before(*what)

    sys.excepthook = note


def _stop() -> None:
    global _loaded
    if _loaded is not None and _process == os.getpid():
        from . import simulation
        if _failed and processes() > 1:
            simulation.abandon_all()
            return  # without the end of MPI, mpiexec ends the other processes too
        simulation.close_all()
        lib, _loaded = _loaded, None
        lib.carom_stop()


def processes() -> int:
    """Returns the number of processes that mpiexec has started."""
    return int(os.environ.get("OMPI_COMM_WORLD_SIZE", os.environ.get("PMI_SIZE", "1")))


def words(sets) -> tuple:
    """A list of texts for C."""
    encoded = [text.encode() for text in sets]
    return len(encoded), (c.c_char_p * max(len(encoded), 1))(*encoded)


def program() -> str:
    """Returns the path of the executable carom: given by the user, beside the repository of this module, or on the path."""
    if os.environ.get("CAROM"):
        return os.environ["CAROM"]
    beside = pathlib.Path(__file__).resolve().parents[2] / "build" / "carom"
    found = str(beside) if beside.exists() else shutil.which("carom")
    if not found:
        raise MachineError("the program carom was not found: build it, install it, or name it in CAROM")
    return found
