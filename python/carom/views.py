"""Arrays of a simulation without a copy. They raise when the simulation is closed, and never read memory that is gone."""
from __future__ import annotations

import ctypes as c
from typing import Any, Callable

import numpy as np

from .errors import CaromError

_BASIC = (int, slice, type(None), type(Ellipsis), np.integer)


class View(np.ndarray):
    """Numbers that belong to a simulation. After its end every use is a CaromError; copies stay.

    NumPy asks nobody when `np.asarray` makes a plain array of it. Such an array keeps the memory of the simulation
    alive, and with it the last numbers."""

    _life: Any = None

    def __array_finalize__(self, base: Any) -> None:
        if self.base is not None:  # a copy belongs to nobody
            self._life = getattr(base, "_life", None)

    def _plain(self) -> np.ndarray:
        if self._life is not None and self._life.closed:
            raise CaromError("the simulation of this view is closed; copy the values that you need before you close it")
        return _as_plain(self)

    def __getitem__(self, key: Any) -> Any:
        found = self._plain()[key]
        if not isinstance(found, np.ndarray) or not _is_basic(key):
            return found
        view = found.view(View)
        view._life = self._life
        return view

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if options.get("out"):
            options["out"] = tuple(map(_unwrap, options["out"]))
        return getattr(ufunc, method)(*map(_unwrap, inputs), **options)

    def __array_function__(self, function: Callable, types: Any, args: Any, options: Any) -> Any:
        for value in (*args, *options.values(), self):
            for item in value if isinstance(value, (list, tuple)) else (value,):
                _unwrap(item)
        return super().__array_function__(function, types, args, options)


def _as_plain(array: np.ndarray) -> np.ndarray:
    return np.ndarray.view(array, np.ndarray)


def _unwrap(value: Any) -> Any:
    return value._plain() if isinstance(value, View) else value


def _is_basic(key: Any) -> bool:
    """Does indexing by this key give a view, and no copy?"""
    return all(isinstance(k, _BASIC) for k in key) if isinstance(key, tuple) else isinstance(key, _BASIC)


def _guard(name: str) -> Callable:
    inherited = getattr(np.ndarray, name)

    def method(self, *args: Any, **options: Any) -> Any:
        self._plain()
        return inherited(self, *args, **options)

    method.__name__, method.__doc__ = name, inherited.__doc__
    return method


for _name in [n for n in dir(np.ndarray) if not n.startswith("_") and callable(getattr(np.ndarray, n))] + [
        "__eq__", "__ne__", "__iter__", "__float__", "__int__", "__complex__", "__index__", "__bool__", "__contains__",
        "__repr__", "__str__", "__format__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"]:
    setattr(View, _name, _guard(_name))


def view_of(life: Any, address: int, kind: Any, rows: int, columns: int) -> np.ndarray:
    """The numbers at an address of the library, which stay there as long as the array does."""
    block = (kind * (rows * columns)).from_address(address)
    block.life = life
    array = np.frombuffer(block, dtype=np.float64 if kind is c.c_double else np.intc).reshape(rows, columns).view(View)
    array.flags.writeable = False
    array._life = life
    return array
