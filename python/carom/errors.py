"""The exceptions of carom."""
from __future__ import annotations

import re
from typing import Any, Optional


class CaromError(Exception):
    """Any failure of carom."""


class DeckError(CaromError):
    """A mistake in a deck, a mesh or an argument. `path`, `line` and `column` give its place, if the message contains it;
    `key` is the key of the deck, `hint` what carom suggests."""

    _place = re.compile(r"^(?P<path>.*?):(?P<line>\d+):(?P<column>\d+): (?:(?P<key>[\w.\-]+): )?(?P<rest>.*)$", re.S)

    def __init__(self, message: str):
        super().__init__(message)
        found = self._place.match(message)
        self.path: Optional[str] = found["path"] if found else None
        self.line: Optional[int] = int(found["line"]) if found else None
        self.column: Optional[int] = int(found["column"]) if found else None
        self.key: Optional[str] = found["key"] if found else None
        rest = found["rest"] if found else message
        self.hint: Optional[str] = rest.split("; ", 1)[1] if "; " in rest else None


class MachineError(CaromError):
    """The machine failed: disk, permissions, memory; or carom itself cannot be found."""


class RunFailed(CaromError):
    """A run gave up, or broke a limit of its deck. `run` has the results up to the failure, if the run wrote files."""

    def __init__(self, message: str, run: Any = None):
        super().__init__(message)
        self.run = run


def raise_for(status: int, message: str, run: Any = None) -> None:
    """The exception that belongs to a code of carom.h."""
    if status == 2:
        raise DeckError(message)
    if status == 3:
        raise MachineError(message)
    if status:
        raise RunFailed(message, run)
