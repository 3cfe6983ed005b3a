"""Games of a variant file on a server: played with the computer, and played on after the file has been edited."""

from __future__ import annotations

from pathlib import Path

import httpx

from helpers.web.served import Server
from komadai.workshop.starting import start_text

TEXT = start_text("my-shogi")
OTHER = TEXT.replace("zone = { FarRanks = 1 }", "zone = { FarRanks = 2 }")


def test_a_game_of_a_file_is_played_and_goes_on_by_its_own_rules(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(TEXT, encoding="utf-8")
    with Server(tmp_path / "data", 0, "--variant-file", str(file)) as server:
        offered = [one["id"] for one in httpx.get(f"{server.url}/api/variants").json()]
        assert offered[-1] == "my-shogi"
        for page in ("new", "rules", "edit", "print"):
            assert httpx.get(f"{server.url}/{page}/my-shogi").status_code == 200
        assert httpx.get(f"{server.url}/api/rules/my-shogi").status_code == 200
        game = server.game("my-shogi", w="level1")
        with server.join(game) as client:
            assert client.move("2e4c", 1)["t"] == "ack"
            while (answer := client.receive("events"))["position"]["thinking"]:
                pass
            assert answer["position"]["turn"] == "b"
    file.write_text(OTHER, encoding="utf-8")
    with Server(tmp_path / "data", 0, "--variant-file", str(file)) as server:
        with server.join(game) as client:
            assert client.state["moves"][0]["usi"] == "2e4c"
            assert len(client.state["moves"]) == 2
            # The former zone is one rank deep, with marks beside it; the edited one is two.
            former = client.state["variant"]["board"]["marks"]
        now = httpx.get(f"{server.url}/api/rules/my-shogi").json()["variant"]["board"]["marks"]
        assert former != now
    with Server(tmp_path / "data") as server:
        with server.join(game) as client:
            assert client.state["variant"]["board"]["marks"] == former
        assert httpx.get(f"{server.url}/new/my-shogi").status_code == 404
