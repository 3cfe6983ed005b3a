"""What ``pyproject.toml`` says of the package to others, beside what it names."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from importlib import metadata
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from helpers.support import ROOT
from tools import check_size

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ADDRESS = PROJECT["urls"]["Homepage"]


def test_every_address_is_made_of_the_one() -> None:
    hosted_elsewhere = {"Documentation"}  # once there is a release: docs/how-to/release.md
    urls = [url for name, url in PROJECT["urls"].items() if name not in hosted_elsewhere]
    assert [url for url in urls if not f"{url}/".startswith(f"{ADDRESS}/")] == []


@pytest.mark.parametrize("file", ["CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml"])
def test_files_that_cannot_take_the_address_from_there_have_the_same(file: str) -> None:
    found = re.findall(r"(?:url|repository-code): (\S+)", (ROOT / file).read_text(encoding="utf-8"))
    assert found
    assert [url for url in found if not f"{url}/".startswith(f"{ADDRESS}/")] == []


def test_no_file_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    sizes = {
        "src/komadai/engine/weights/shogi.net": 2_000_000,
        "src/komadai/engine/weights/shogi.json": 400_000,
        "bench/results/nets/shogi/match.jsonl": 1_000_000,
        "komadai.whl": 12_000_000,
        "README.md": 400_000,
    }
    assert {name: check_size.bound(name) for name in sizes} == sizes
    monkeypatch.setattr("sys.argv", ["check_size"])
    with pytest.raises(SystemExit) as ended:
        check_size.main()
    assert (ended.value.code, capsys.readouterr().err) == (0, "")
    large = tmp_path / "large.py"
    large.write_bytes(bytes(400_001))
    monkeypatch.setattr("sys.argv", ["check_size", str(large)])
    monkeypatch.setattr(check_size, "MOST_NETS", 1_000_000)
    with pytest.raises(SystemExit) as ended:
        check_size.main()
    first, second = capsys.readouterr().err.splitlines()
    assert ended.value.code == 1
    assert first == f"{large}: 400,001 bytes, more than 400,000"
    assert second.startswith("src/komadai/engine/weights/*.net: ")


def test_links_work_on_a_package_index() -> None:
    found = metadata.metadata("komadai")
    targets = re.findall(r"\]\(([^)]+)\)", found["Description"])
    assert len(targets) > 30
    assert [target for target in targets if not target.startswith(f"{ADDRESS}/")] == []
    assert found["License-Expression"] == PROJECT["license"]


def test_the_licence_is_that_of_all_that_a_wheel_contains() -> None:
    page = (ROOT / "docs/reference/licences.md").read_text(encoding="utf-8")
    table = page.split("\n## ")[1]
    contained = {row.split("|")[3].strip() for row in table.splitlines() if row.startswith("|")} - {"licence", "---"}
    assert len(contained) > 2
    assert set(PROJECT["license"].split(" AND ")) == {"MIT", *contained}
    assert [name for name in PROJECT["license-files"] if not (ROOT / name).is_file()] == []


def test_the_bill_of_materials_has_what_a_wheel_contains() -> None:
    bill, notices = (runpy.run_path(str(ROOT / "tools" / name)) for name in ("sbom.py", "notices.py"))
    with ZipFile(BytesIO(), "w") as wheel:
        for name, text in notices["notices"]().items():
            wheel.writestr(f"komadai/licenses/{name}", text)
        vendored = "app/web/static/vendor/ts-fsrs.txt"
        wheel.write(ROOT / "src/komadai" / vendored, f"komadai/{vendored}")
        found = {one["name"]: one for one in (bill["component"](part, wheel) for part in bill["parts"]())}
    assert found["nanobind"]["version"] == metadata.version("nanobind")
    assert re.fullmatch(r"pkg:github/tessil/robin-map@v\d+\.\d+\.\d+", found["tsl::robin_map"]["purl"])
    assert found["ts-fsrs"]["purl"] == "pkg:npm/ts-fsrs@5.4.2"
    licences = {one["licenses"][0]["license"]["id"] for one in found.values()}
    assert licences <= set(PROJECT["license"].split(" AND "))
    for text in (path.read_text(encoding="utf-8") for path in (ROOT / "src/komadai").rglob("OFL.txt")):
        assert [name for name in re.findall(r"of (?:Noto|Yuji) .*?(?:JP|Syuku)", text) if name[3:] not in found] == []


def test_the_readmes_have_the_same_commands_and_links() -> None:
    """But for the page on the installation, which there is in Japanese, too."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.ja.md")]
    assert "docs/ja/install.md" in texts[1]
    texts[1] = texts[1].replace("docs/ja/install.md#指す", "docs/how-to/install.md#play")
    texts[1] = texts[1].replace("docs/ja/install.md", "docs/how-to/install.md")
    english, japanese = (
        (
            [target for target in re.findall(r"\]\(([^)]+)\)", text) if not target.startswith("README")],
            [
                line.partition(" #")[0].rstrip()
                for block in re.findall(r"```sh\n(.*?)```", text, re.S)
                for line in block.split("\n")
            ],
            re.findall(r"```python\n(.*?)```", text, re.S),
            re.findall(r"`sudo [^`]+`", text),
        )
        for text in texts
    )
    assert len(english[0]) > 30
    assert english == japanese


def test_who_installs_by_the_page_in_japanese_types_the_same() -> None:
    """Whether commands stand in blocks or in the text; the links lead there from one folder or the other."""
    texts = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("how-to/install.md", "ja/install.md")]
    english, japanese = (
        (
            [target.replace("../how-to/", "") for target in re.findall(r"\]\(([^)]+)\)", text)],
            [
                line.partition("  ")[0]
                for block, inline in re.findall(r"```sh\n(.*?)```|`([^`\n]+)`", text, re.S)
                for line in (block.splitlines() or [inline])
            ],
            text.count("\n## "),
        )
        for text in texts
    )
    assert len(english[1]) > 20
    assert english == japanese


def test_what_developers_install_is_no_extra() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    assert not groups.keys() & PROJECT["optional-dependencies"].keys()
    assert groups["dev"]


def test_the_development_container_sets_up_as_the_guide_says() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert container["postCreateCommand"].endswith("make dev")
    assert "`make dev`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
