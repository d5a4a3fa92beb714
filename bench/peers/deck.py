"""Reads the part of YAML that the decks of this folder use: block and flow maps and lists, comments, plain scalars."""
import re

TOKEN = re.compile(r"[\[\]{},]|:(?=\s|$)|[^\[\]{},\s:][^\[\]{},:]*")


def scalar(text):
    text = text.strip()
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def flow(text):
    """A scalar, [list] or {map} on one line."""
    tokens = TOKEN.findall(text)

    def value():
        token = tokens.pop(0)
        if token == "[":
            items = []
            while tokens[0] != "]":
                items.append(value())
                if tokens[0] == ",":
                    tokens.pop(0)
            tokens.pop(0)
            return items
        if token == "{":
            items = {}
            while tokens[0] != "}":
                key = tokens.pop(0).strip()
                tokens.pop(0)  # the colon
                items[key] = value()
                if tokens[0] == ",":
                    tokens.pop(0)
            tokens.pop(0)
            return items
        return scalar(token)

    return value() if text[0] in "[{" else scalar(text)


def block(lines, indent):
    """Takes the lines of one map or list, whose entries start at column `indent`, off the front of `lines`."""
    if lines[0][1].startswith("- "):
        items = []
        while lines and lines[0][0] == indent and lines[0][1].startswith("- "):
            text = lines.pop(0)[1][2:]
            if text[0] in "[{":
                items.append(flow(text))
            else:  # the dash is an indent of the map that begins behind it
                lines.insert(0, (indent + 2, text))
                items.append(block(lines, indent + 2))
        return items
    entries = {}
    while lines and lines[0][0] == indent:
        key, rest = re.fullmatch(r"([\w-]+):\s*(.*)", lines.pop(0)[1]).groups()
        entries[key] = flow(rest) if rest else block(lines, lines[0][0])
    return entries


def read(path):
    lines = []
    with open(path) as file:
        for line in file:
            line = re.sub(r"(^|\s)#.*", "", line.rstrip())
            if line.strip():
                lines.append((len(line) - len(line.lstrip()), line.strip()))
    return block(lines, 0)


def change(deck, settings):
    """Applies `carom run --set` settings, "key.path=value", to a deck that was read."""
    for setting in settings:
        path, text = setting.split("=", 1)
        *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        at = deck
        for key in way:
            at = at[key]
        at[last] = flow(text)
    return deck
