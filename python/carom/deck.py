"""Decks as nested dictionaries."""
from __future__ import annotations

import ctypes as c
import json
import os
import pathlib
from typing import Any, Iterator, List, Mapping, Optional, Union

import numpy as np

from . import _library
from .errors import raise_for


def _plain(value: Any) -> Any:
    """Converts NumPy numbers and arrays, tuples and nodes of decks to types of JSON."""
    if isinstance(value, _Node):
        return value._value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _wrap(value: Any) -> Any:
    return _Node(value) if isinstance(value, (dict, list)) else value


def _step(value: Any, word: Union[str, int]) -> Any:
    if isinstance(value, list):
        return value[int(word)]
    return value[word]


class _Node:
    """A mapping or list of a deck. Keys may be dotted paths; keys are attributes too."""

    def __init__(self, value: Any):
        object.__setattr__(self, "_value", value)

    def _find(self, key: Union[str, int], last: bool):
        words = key.split(".") if isinstance(key, str) else [key]
        value = self._value
        for word in words[:-1] if not last else words:
            try:
                value = _step(value, word)
            except (KeyError, IndexError, ValueError, TypeError):
                raise KeyError(key) from None
        return value, words[-1]

    def __getitem__(self, key: Union[str, int]) -> Any:
        return _wrap(self._find(key, True)[0])

    def __setitem__(self, key: Union[str, int], value: Any) -> None:
        parent, word = self._find(key, False)
        try:
            if isinstance(parent, list):
                parent[int(word)] = _plain(value)
            else:
                parent[word] = _plain(value)
        except (IndexError, ValueError, TypeError):
            raise KeyError(key) from None

    def __delitem__(self, key: Union[str, int]) -> None:
        parent, word = self._find(key, False)
        del parent[int(word) if isinstance(parent, list) else word]

    def __contains__(self, key: Union[str, int]) -> bool:
        try:
            self._find(key, True)
        except KeyError:
            return False
        return True

    def get(self, key: Union[str, int], default: Any = None) -> Any:
        return self[key] if key in self else default

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"this part of the deck has no key \"{name}\"") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return iter([_wrap(v) for v in self._value] if isinstance(self._value, list) else self._value)

    def append(self, value: Any) -> None:
        self._value.append(_plain(value))

    def __eq__(self, other: Any) -> bool:
        return self._value == _plain(other)

    def __repr__(self) -> str:
        return repr(self._value)

    def plain(self) -> Any:
        """A copy of plain dictionaries and lists."""
        return json.loads(json.dumps(self._value))


class Deck(_Node):
    """A deck from a path, a text or a dictionary, checked by the program's own schema.

    >>> deck = Deck("impact.yaml")
    >>> deck["contact.0.friction"] = 0.3        # the same as deck.contact[0].friction = 0.3
    >>> deck.check()                            # DeckError with the place, if something is wrong
    """

    def __init__(self, source: Union[str, os.PathLike, Mapping, "Deck"], folder: Optional[os.PathLike] = None):
        object.__setattr__(self, "_folder", None)
        if isinstance(source, Deck):
            super().__init__(source.plain())
            object.__setattr__(self, "_folder", source._folder)
            return
        if isinstance(source, (Mapping, _Node)):
            super().__init__(json.loads(json.dumps(_plain(source))))
            object.__setattr__(self, "_folder", pathlib.Path(folder).resolve() if folder else pathlib.Path.cwd())
            self.check()
            return
        text = os.fspath(source)
        path = None if "\n" in text else pathlib.Path(text)
        super().__init__(_read(text))
        object.__setattr__(self, "_folder", path.resolve().parent if path else
                           pathlib.Path(folder).resolve() if folder else pathlib.Path.cwd())

    @property
    def folder(self) -> pathlib.Path:
        """The folder from which paths in the deck are looked for."""
        return self._folder

    def text(self, sets: Mapping[str, Any] = {}) -> str:
        """The deck for the program: JSON, which is YAML too, with absolute paths of meshes."""
        copy = Deck.__new__(Deck)
        _Node.__init__(copy, self.plain())
        for key, value in sets.items():
            copy[key] = value
        _make_absolute(copy._value, self._folder)
        return json.dumps(copy._value, indent=1) + "\n"

    def check(self) -> "Deck":
        """Checks the deck without its meshes; raises DeckError if the deck has a mistake."""
        _read(self.text())
        return self

    def copy(self) -> "Deck":
        return Deck(self)


def load(path: Union[str, os.PathLike]) -> Deck:
    """The deck of a file."""
    return Deck(path)


def _read(source: str) -> Any:
    lib = _library.library()
    found = c.c_void_p()
    n, sets = _library.words([])
    status = lib.carom_deck(source.encode(), n, sets, c.byref(found))
    if status:
        raise_for(status, lib.carom_error(None).decode())
    try:
        return json.loads(c.string_at(found.value).decode())
    finally:
        lib.carom_free(found)


def _make_absolute(value: Any, folder: pathlib.Path) -> None:
    """Files of meshes are named relative to the folder of the deck."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "file" and isinstance(item, str):
                value[key] = str(folder / item)
            else:
                _make_absolute(item, folder)
    elif isinstance(value, list):
        for item in value:
            _make_absolute(item, folder)


def as_deck(source: Any) -> Deck:
    return source if isinstance(source, Deck) else Deck(source)


def unchecked(source: Union[Mapping, Deck]) -> Deck:
    """Makes a deck from a dictionary, without checks."""
    if isinstance(source, Deck):
        return source
    deck = Deck.__new__(Deck)
    _Node.__init__(deck, json.loads(json.dumps(_plain(source))))
    object.__setattr__(deck, "_folder", pathlib.Path.cwd())
    return deck


def as_sets(values: Mapping[str, Any]) -> List[str]:
    """Converts values to arguments of --set."""
    return [f"{key}={json.dumps(_plain(value))}" for key, value in values.items()]
