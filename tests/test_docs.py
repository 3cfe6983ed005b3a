"""The repository does not lie: rules pages, README and docstrings hold, and importing costs what it says."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import click
import pytest

import komadai
from helpers.support import ROOT
from komadai import spec
from komadai.app.cli import root

EVERY_NAME = komadai.variants(shelf=True)
RULES = ROOT / "docs" / "rules"
MODULES = [
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "src" / "komadai").rglob("*.py"))
    if "    >>> " in path.read_text(encoding="utf-8")
]
FRAMEWORKS = {  # modules that need an extra
    "komadai.lab.rl.aec_env": "pettingzoo",
    "komadai.lab.rl.gym_env": "gymnasium",
    "komadai.lab.rl.spaces": "gymnasium",
    "komadai.lab.rl.openspiel": "pyspiel",
    "komadai.lab.learn.training": "torch",
}
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "bench/LOG.md"])
TEXTS = [path for path in PAGES if ">>>" in path.read_text(encoding="utf-8")]
FENCED = re.compile(r"^```\{?(\w+)\}?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages(name: str) -> list[Path]:
    """The rules pages among the variant's sources."""
    return [ROOT / source for source in komadai.variant(name).sources if source.startswith("docs/")]


@pytest.mark.parametrize("name", EVERY_NAME)
def test_every_variant_has_a_rules_page_that_its_rules_name_and_tests_of_them(name: str) -> None:
    assert pages(name), "the first source of a variant is its page under docs/rules"
    assert all(page.is_file() for page in pages(name))
    files = {page.name for page in pages(name)}
    for rule in komadai.variant(name).rules:
        assert rule.source.split()[0].rstrip(",") in files, rule.source
    assert any(f'"{name}"' in path.read_text("utf-8") for path in (ROOT / "tests" / "rules").glob("test_*.py"))


def untested_rules(page: str, tests: str) -> list[str]:
    """The missing tests of a page's numbered rules, by the names they must have.

    Rules are the numbered items of the sections on rules, or paragraphs that begin with their number, as **R1 does.
    """
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    rules = "".join(section for section in sections if section.startswith("Rules"))
    names = [f"test_rule_{number}_" for number in re.findall(r"^(\d+)\. ", rules, re.MULTILINE)]
    names += [f"test_r{number}_" for number in re.findall(r"^\*\*R(\d+)\b", page, re.MULTILINE)]
    return [name for name in names if not re.search(rf"^def {name}\w", tests, re.MULTILINE)]


@pytest.mark.parametrize("page", sorted({page.stem for name in EVERY_NAME for page in pages(name)}))
def test_every_numbered_rule_has_a_test_of_its_name(page: str) -> None:
    files = [path for path in (ROOT / "tests" / "rules").glob("test_*.py") if path.stem.split("_")[1] == page]
    tests = "".join(path.read_text(encoding="utf-8") for path in files)
    assert not untested_rules((RULES / f"{page}.md").read_text(encoding="utf-8"), tests)


def test_a_rule_without_a_test_is_found() -> None:
    numbered = "## Rules\n\n1. One.\n2. Two.\n12. Twelve.\n\n## More\n\n3. No rule.\n"
    assert untested_rules(numbered, "") == ["test_rule_1_", "test_rule_2_", "test_rule_12_"]
    assert untested_rules(numbered, "def test_rule_2_is(): ...\n# def test_rule_1_is\n") == [
        "test_rule_1_",
        "test_rule_12_",
    ]
    lettered = "## 4. Special\n\n**R1 Game end.** By R2.\n\n**R2** Check.\n\n**R13 Repetition.** As R14.\n"
    assert untested_rules(lettered, "def test_r13_draws(): ...\n") == ["test_r1_", "test_r2_"]


def test_the_numbers_of_the_rules_are_read() -> None:
    texts = {page: (RULES / f"{page}.md").read_text(encoding="utf-8") for page in ("nana", "ki", "ko")}
    counts = {page: len(untested_rules(text, "")) for page, text in texts.items()}
    assert counts["ko"] == 14
    assert counts["nana"] > 0
    assert counts["ki"] > 0


def blocks(page: Path, *languages: str) -> list[str]:
    """The fenced blocks of a page in these languages."""
    return [text for language, text in FENCED.findall(page.read_text(encoding="utf-8")) if language in languages]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_of_the_documentation_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is followed from its beginning to its end, in an empty folder.

    In a tutorial, blocks of Python that are no session are what the reader writes into a file, one after another: the
    first that the page names.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, object] = {}
    file = re.search(r"`(\w+)\.py`", path.read_text(encoding="utf-8"))
    source, runner = "", doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks(path, "python", "vocabulary"), 1):
        if ">>>" in block:
            example = doctest.DocTestParser().get_doctest(block, names, f"{path.name}, block {number}", str(path), 0)
            runner.run(example, clear_globs=False)
            names = example.globs
        elif path.parent.name == "tutorial":
            assert file is not None
            source += block + "\n"
            (tmp_path / f"{file[1]}.py").write_text(source, encoding="utf-8")
            sys.modules.pop(file[1], None)
            importlib.invalidate_caches()
    assert runner.tries
    assert not runner.failures


def test_the_readme_has_an_example() -> None:
    assert ROOT / "README.md" in TEXTS


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_docstrings_run(name: str) -> None:
    if name in FRAMEWORKS:
        pytest.importorskip(FRAMEWORKS[name], reason="the extra of its framework is not installed")
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried
    assert not failed


@pytest.fixture(scope="module")
def generated() -> Iterator[ModuleType]:
    """The module that makes the generated parts of the reference."""
    sys.path.insert(0, str(DOCS / "_ext"))
    yield importlib.import_module("generated")
    sys.path.remove(str(DOCS / "_ext"))


def entries() -> set[str]:
    """The names that the pages of the Python API have entries for."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference" / "python").glob("*.md"))
    return set(re.findall(r"^\.\. (?:auto|py:)\w+:: komadai\.(\w+)(?![.\w])", pages, re.MULTILINE))


@pytest.mark.parametrize("name", komadai.__all__)
def test_public_names_are_there_and_documented(name: str) -> None:
    assert getattr(komadai, name).__doc__
    assert name in entries() or name in spec.__all__, f"{name} has no entry in docs/reference/python"


def test_the_vocabulary_is_documented_with_examples(generated: ModuleType) -> None:
    page = (DOCS / "reference" / "vocabulary.md").read_text(encoding="utf-8")
    written = dict(re.findall(r"^```\{vocabulary\} (\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    groups = generated.groups()
    assert set(written) == set(groups)
    classes = {name for name in spec.__all__ if inspect.isclass(getattr(spec, name))}
    assert classes <= {name for names in groups.values() for name in names}
    for group, names in groups.items():
        by_hand = re.findall(r"^(\w+):$", written[group], re.MULTILINE)
        assert set(by_hand) <= set(names)
        for name in names:
            own_words = inspect.getdoc(getattr(spec, name)) or ""
            assert own_words, f"{name} has no docstring"
            assert not own_words.startswith(f"{name}("), f"{name} has only the docstring of a dataclass"
            assert name in by_hand or generated.example(name), f"{name} has no example"


def test_an_example_gives_the_value_it_was_written_from(generated: ModuleType) -> None:
    for uses in generated.examples().values():
        for text, value, _ in uses[:20]:
            assert eval(text, dict(vars(spec))) == value
    a, b, c = spec.Is(("A",)), spec.Stuck(), spec.At(spec.FarRanks(2))
    for condition in (a & (b & c), a & b & c, (a | b) & ~(b | c), a | b & c | c, a | (b | c), ~(a & b), ~~a):
        assert eval(generated.written(condition), dict(vars(spec))) == condition


def test_a_part_of_the_vocabulary_without_an_example_is_found(generated: ModuleType) -> None:
    with pytest.raises(ValueError, match="betza needs an example"):
        generated.vocabulary("moves", {"slide": "", "step": ""})
    with pytest.raises(ValueError, match="Gone"):
        generated.vocabulary("moves", {"Gone": ""})


def test_who_installs_komadai_by_the_docs_gets_what_the_next_lines_need() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    with_app = {name for name, lines in extras.items() if name == "app" or any("[app" in line for line in lines)}
    lacking, commands = [], 0
    for path in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```", path.read_text("utf-8"), re.M | re.S):
            extra = None
            for line in block.splitlines():
                if found := re.match(
                    r"(?:\S*/)?pip install (?:-q )?\"?(?:\.|komadai)(?:\[([\w,]+)\])?\"?(?:\s|$)", line
                ):
                    extra = set((found[1] or "").split(","))
                elif extra is not None and re.match(r"komadai (?!engine\b)", line):
                    commands += 1
                    lacking += [(path.name, line)] if not extra & with_app else []
    assert commands >= 5
    assert lacking == []


def test_the_architecture_page_is_short_and_has_one_picture() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 120
    assert page.count("![") == 1


def test_the_architecture_page_has_the_floors_of_the_contracts() -> None:
    """Its exceptions are compared with the imports in test_structure.py."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [floors] = [one["layers"] for one in project["tool"]["importlinter"]["contracts"] if one.get("exhaustive_ignores")]
    assert "\n".join(floors) in (DOCS / "architecture.md").read_text(encoding="utf-8")


def test_decisions_have_context_and_consequence_and_a_number_each() -> None:
    parts = r"# (\d{3}) \S.*\n\n\*\*Context\.\*\* .+\n\n\*\*Decision\.\*\* .+\n\n\*\*Consequence\.\*\* .+\n"
    decisions = sorted((DOCS / "explanation" / "decisions").glob("[0-9]*.md"))
    assert len({page.name[:3] for page in decisions}) == len(decisions) > 0
    for page in decisions:
        text = page.read_text(encoding="utf-8")
        found = re.fullmatch(parts, text, re.DOTALL)
        assert found, f"{page.name}: a decision has a title, a context, a decision and a consequence"
        assert found[1] == page.stem.partition("-")[0], page.name
        assert len(text.splitlines()) <= 20, page.name


def test_links_lead_to_files() -> None:
    for page in PAGES:
        targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", FENCED.sub("", page.read_text(encoding="utf-8")))
        local = [target for target in targets if "://" not in target and re.search(r"[./]", target)]
        assert not [target for target in local if not (page.parent / target).exists()], page


def test_the_changelog_begins_with_this_version() -> None:
    sections = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections[0] == komadai.__version__


def test_make_targets_that_a_page_names_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8"))
        assert set(named) <= targets, page


@cache
def names_of_sources() -> set[str]:
    """The names of all files of the sources, of the tests among them."""
    places = ("src", "native", "tests", "fuzz", "tools", "bench")
    return {path.name for place in places for path in (ROOT / place).rglob("*.*")}


@pytest.mark.parametrize(
    "page",
    [
        DOCS / "architecture.md",
        ROOT / "CONTRIBUTING.md",
        *(page for folder in ("explanation", "how-to", "reference") for page in sorted((DOCS / folder).rglob("*.md"))),
    ],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    """A name in backquotes that looks like a source file or folder exists, below the root or the package.

    Names in capitals stand for any.
    """
    package = ROOT / "src" / "komadai"
    places = (ROOT, ROOT / "native", package, package / "app" / "web" / "static" / "js", page.parent)
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    text = re.sub(r"^Rooms to come .*?\n\n", "", text, flags=re.MULTILINE | re.DOTALL)
    named = re.findall(r"`((?:[\w.-]+/)*(?:[\w-]+\.(?:py|hpp|cpp|js|json|toml)|[\w-]+/))`", text)
    assert not [
        name
        for name in named
        if not any((place / name).exists() for place in places)
        and ("/" in name or name not in names_of_sources())
        and not re.search(r"\b[A-Z]{4,}\b", name)
    ]


def commands_of(text: str) -> Iterator[str]:
    """The lines of blocks for a shell that call the program, and calls with options in the running text."""
    *_, last = parts = re.split(r"^ *```", text, flags=re.MULTILINE)
    for block in parts[1::2]:
        if block.startswith("sh\n"):
            lines = block.replace("\\\n", " ")
            yield from re.findall(r"^\s*(?:\w+=\S+ )*(komadai .*)", lines, re.MULTILINE)
    for prose in (*parts[:-1:2], last):
        yield from re.findall(r"(?<!`)`(komadai [a-z-]+ [^`]*)`(?!`)", prose)


def refusal_of(line: str) -> str | None:
    """Why the program would not take the words of a line, whatever the files in it hold."""
    _, *words = shlex.split(re.split(r" [|>&<](?: |$)|;", line)[0], comments=True)
    if words[0] == "engine":
        return None
    command: click.Command = root
    context = click.Context(root, info_name="komadai")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, found, words = command.resolve_command(context, words)
        assert found is not None
        context = click.Context(found, info_name=name, parent=context)
        command = found
    try:
        _given, rest, _order = command.make_parser(context).parse_args([*words])
    except click.BadOptionUsage as error:
        return None if error.option_name == words[-1] else error.format_message()  # an option is named there
    except click.UsageError as error:
        return error.format_message()
    return f"{rest} is too much" if rest and not isinstance(command, click.Group) else None


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "LOG.md"], ids=lambda page: page.stem)
def test_the_program_takes_the_commands_of_a_page(page: Path) -> None:
    for line in commands_of(page.read_text(encoding="utf-8")):
        assert refusal_of(line) is None, line


def test_pages_call_rule_options_and_packages_as_they_are() -> None:
    """``-o`` is the output; and before a release no package index has Komadai."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"-o (?:NAME|[a-z_]+)=", text), page
        if page.name not in ("release.md", "CHANGELOG.md", "LOG.md", "troubleshoot.md"):
            assert not re.search(r"pip install ['\"]?komadai", text), page


def test_a_command_that_the_program_does_not_take_is_found() -> None:
    text = "Say `komadai picture nana --output x.svg`.\n\n```sh\nA=1 komadai match a b -v ko \\\n  --games 2\n```\n"
    assert [refusal_of(line) for line in commands_of(text)] == ["No such option '-v'.", None]


@pytest.mark.parametrize(
    "code",
    [
        "import komadai",
        "import komadai; komadai.Position('shogi').legal_moves()",
        "import komadai; komadai.Engine('nana').search(komadai.Position('nana'), depth=2)",
        "import komadai; komadai.Game('nana').record()",
    ],
)
def test_the_library_imports_nothing_it_does_not_need(code: str) -> None:
    server = ("h11", "markdown_it", "msgspec", "prometheus_client", "starlette", "uvicorn", "websockets")
    heavy = (*server, "numpy", "click", "rich", "asyncio")
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert not set(shown.stdout.split()) & set(heavy)
    assert code != "import komadai" or "komadai._core" not in shown.stdout.split()
    assert shown.stderr == ""
