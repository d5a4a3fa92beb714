"""check_docs.py SOURCE SCHEMA: what can be checked of the documents without running decks.

Links lead to files and headings that are there; sections of the theory that are cited exist; every key of the deck's
schema, and every word that one of them takes, stands in the manual."""
import json
import re
import sys
from pathlib import Path

source, schema = Path(sys.argv[1]), json.load(open(sys.argv[2]))
pages = [*sorted(source.glob("*.md")), *sorted((source / "docs").glob("*.md")), *sorted((source / "examples").glob("**/*.md"))]
wrong = 0


def fail(text):
    global wrong
    wrong += 1
    print("FAILED:", text)


def anchors(page):
    """Headings as they are linked to: lower case, blanks as hyphens, without punctuation."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, flags=re.M)}


for page in pages:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            fail(f"{page.relative_to(source)}: no {link}")
        elif heading and heading not in anchors(target):
            fail(f"{page.relative_to(source)}: no heading {link}")

sections = set(re.findall(r"^##+ (\d+(?:\.\d+)?)\.? ", (source / "docs/theory.md").read_text(), flags=re.M))
cited = [p for folder in ("src", "app", "tests", "docs", "examples") for p in (source / folder).rglob("*")
         if p.suffix in (".c", ".h", ".md", ".yaml", ".sh", ".py")]
for path in cited:
    for section in re.findall(r"(?<!wave )\btheory (\d+(?:\.\d+)?)\b", path.read_text(errors="ignore")):
        if section not in sections:
            fail(f"{path.relative_to(source)}: theory has no section {section}")

manual = (source / "docs/manual.md").read_text()
code = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]*)`", manual))))
every = set(re.findall(r"[\w-]+", manual))


def walk(node, key):
    if isinstance(node, list):
        for item in node:
            walk(item, key)
    if not isinstance(node, dict):
        return
    for name, value in node.get("properties", {}).items():
        if name not in code:
            fail(f"docs/manual.md: no key `{name}` (of {key})")
        walk(value, name)
    for word in node.get("enum", []):
        if str(word) not in every:
            fail(f"docs/manual.md: no word {word} (of {key})")
    for name, value in node.items():
        if name != "properties":
            walk(value, key)


walk(schema, "the deck")
sys.exit(wrong > 0)
