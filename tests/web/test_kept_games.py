"""Games that the server keeps on disk: they survive its end, nobody else reads them, and their number is bounded."""

import asyncio
import json
import logging
import os
import stat
import sys
from pathlib import Path

import pytest

from web_process import web_process
from worldwise.core.durable_files import checksum
from worldwise.errors import InputError
from worldwise.kriegspiel.players.game_so_far import Opponent, StoredGame
from worldwise.kriegspiel.players.game_so_far_json import read_stored_json, stored_json
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.rules.squares import BLACK
from worldwise.kriegspiel.rules.umpire import WILD16
from worldwise.web.kept_games import DAY, KeptGames, open_games, state_folder
from worldwise.web.pages.kriegspiel import go
from worldwise.web.refusal import RefusedError
from worldwise.web.store import Store

NAME = "abcdefghijklmnopqrstuv"


@pytest.fixture
def games(tmp_path):
    with open_games(tmp_path / "state" / "games", pytest.fail) as games:
        yield games


def content(format_=1, data=b"{}", **changes):
    told = {"format": format_, "sum": checksum(data), **changes}
    return b'{"worldwise-game":%d,"checksum":"%s","game":%s}\n' % (told["format"], told["sum"].encode(), data)


# ---------------------------------------------------------------------- a real server, killed


def test_a_game_goes_on_after_its_server_was_killed(tmp_path):
    """The same messages as before, and the same replies as in a game that nobody disturbed."""
    tries = ("a2a3", "b2b3", "c2c3", "d2d3")
    with web_process(tmp_path / "games") as server:
        _, table = server.ask("start", player="rand", seconds=0.1, seed=7)
        game = table["game"]
        for move in tries:
            _, before = server.ask("go", game=game, move=move)
            server.kill()
            server.start()
            status, after = server.ask("go", game=game)
            assert (status, after) == (200, before)
        assert server.ask("resign", game=game)[0] == 200
        server.kill()
        server.start()
        _, told = server.ask("story", game=game)
        _, undisturbed = server.ask("start", player="rand", seconds=0.1, seed=7)
        for move in tries:
            server.ask("go", game=undisturbed["game"], move=move)
        server.ask("resign", game=undisturbed["game"])
        assert server.ask("story", game=undisturbed["game"])[1] == told


def test_what_is_kept_is_for_the_umpire_alone(tmp_path):
    folder = tmp_path / "state" / "games"
    with web_process(folder) as server:
        _, table = server.ask("start", player="rand", seconds=0.1, seed=123456789)
        game = table["game"]
        _, table = server.ask("go", game=game, move="e2e4")
        (path,) = folder.glob("*.json")
        kept = json.loads(path.read_bytes())
        assert kept["game"]["opponent"]["seed"] == 123456789
        assert "123456789" not in json.dumps(table)
        if sys.platform != "win32":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for target in (f"/{game}.json", f"/static/{game}.json", f"/games/{game}.json", f"/static/..%2F{game}.json"):
            assert server.get(target) == 404
        for name in (f"../games/{game}", f"{folder}/{game}", f"{game}.json", "../../../etc/passwd", "\0", ""):
            assert server.ask("go", game=name)[0] in (400, 404)


def test_a_second_server_keeps_its_games_in_memory_and_says_so(tmp_path):
    with web_process(tmp_path / "games") as first, web_process(tmp_path / "games") as second:
        _, table = first.ask("start", player="rand", seconds=0.1)
        assert second.ask("go", game=table["game"])[0] == 404
        assert "kriegspiel games are not kept on disk: " in second.said[0]
        assert "another process is writing" in second.said[0]
        assert second.ask("start", player="rand", seconds=0.1)[0] == 200
        assert len(list((tmp_path / "games").glob("*.json"))) == 1


# ---------------------------------------------------------------------- the folder


def kept_in(store, name=None, data=b"x"):
    async def keep():
        async with store.open(name) as slot:
            await store.keep_and_tell(slot, None)("keep", data)
        return slot.name

    return asyncio.run(keep())


def read_from(store, name):
    async def read():
        async with store.open(name) as slot:
            return slot.kept

    return asyncio.run(read())


def test_what_one_store_keeps_another_reads(games):
    name = kept_in(Store(games=games), data=b'{"a": 1}')
    assert json.loads((games.folder / f"{name}.json").read_bytes())["game"] == {"a": 1}
    assert read_from(Store(games=games), name) == b'{"a": 1}'
    with pytest.raises(RefusedError, match="it is kept for 30 days"):
        read_from(Store(games=games), "x" * 22)


def test_what_memory_has_forgotten_the_disk_has(games):
    store = Store(most=1, games=games)
    one, two = kept_in(store, data=b"1"), kept_in(store, data=b"2")
    assert (read_from(store, one), read_from(store, two), len(store)) == (b"1", b"2", 1)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"nonsense",
        content()[:-3],
        content(data=b'{"a":1}').replace(b'"a":1', b'"a":2'),
        content(sum="0" * 16),
        bytes(100),
        b"[" * 100_000,
    ],
)
def test_a_damaged_game_is_set_aside_and_others_go_on(games, damage, caplog):
    games.write(NAME, b"{}")
    (games.folder / f"{NAME[::-1]}.json").write_bytes(damage)
    store = Store(games=games)
    with caplog.at_level(logging.WARNING), pytest.raises(RefusedError, match="found its file damaged") as refusal:
        read_from(store, NAME[::-1])
    assert (refusal.value.status, refusal.value.where) == (410, "game")
    assert "is damaged" in caplog.text
    assert (games.folder / f"{NAME[::-1]}.damaged").read_bytes() == damage
    assert read_from(store, NAME) == b"{}"


def test_a_game_of_a_later_version_is_refused_and_left_alone(games):
    path = games.folder / f"{NAME}.json"
    path.write_bytes(content(2))
    with pytest.raises(RefusedError, match="expected a game of format 1, found 2"):
        games.read(NAME)
    assert path.read_bytes() == content(2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "expected a game of format 1, found 2"),
        ({"format": None}, "expected a game of format 1, found None"),
        ({"record": None}, "expected a record with"),
        ({"opponent": {}}, "expected a game as it was kept"),
        ({"thoughts": [[1, {"boards": 1}]]}, "expected a game as it was kept"),
        ({"thoughts": 5}, "expected a game as it was kept"),
    ],
)
def test_what_is_whole_but_no_game_of_ours_is_refused_in_words(change, words):
    opponent = Opponent("rand", read_player("rand"), BLACK, WILD16, 7, Budget(seconds=0.1), "g")
    data = {**stored_json(StoredGame.of(opponent)), **change}
    with pytest.raises(InputError, match=words):
        read_stored_json(data)
    with pytest.raises(RefusedError, match="this game cannot go on") as refusal:
        next(go(game="g", kept=json.dumps(data).encode(), move="e4"))
    assert refusal.value.where == "game"


def test_the_eldest_files_and_the_old_ones_are_removed(tmp_path):
    now = [1_000_000_000.0]
    games = KeptGames(tmp_path, most=3, days=2, clock=lambda: now[0])
    other = tmp_path / "notes.json"
    other.write_text("mine")
    for number in range(5):
        name = str(number) * 22
        games.write(name, b"{}")
        os.utime(tmp_path / f"{name}.json", (now[0] + number, now[0] + number))
    assert sorted(path.name[0] for path in tmp_path.glob("*.json")) == ["2", "3", "4", "n"]
    now[0] += 2 * DAY + 3.5
    games.forget()
    assert sorted(path.name[0] for path in tmp_path.glob("*.json")) == ["4", "n"]
    assert other.read_text() == "mine"


def test_a_disk_that_is_full_does_not_end_a_game(games, monkeypatch, caplog):
    def full(handle):
        raise OSError(28, "No space left on device")

    store = Store(games=games)
    name = kept_in(store, data=b"1")
    monkeypatch.setattr(os, "fsync", full)
    assert kept_in(store, name, b"2") == name
    assert "a game is not kept on disk: " in caplog.text
    assert read_from(store, name) == b"2"
    assert games.read(name) == b"1"


def test_a_folder_that_cannot_be_had_is_said_and_done_without(tmp_path):
    (tmp_path / "file").touch()
    said = []
    with open_games(tmp_path / "file" / "games", said.append) as games:
        assert games is None
    assert "kriegspiel games are not kept on disk: " in said[0]
    with open_games(None, said.append) as games:
        assert (games, len(said)) == (None, 1)


def test_parts_of_a_server_that_was_killed_are_removed(tmp_path):
    part = tmp_path / f".{NAME}.json.0123abcd.part"
    part.touch()
    with open_games(tmp_path, pytest.fail):
        assert not part.exists()


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/state/worldwise"),
        ("linux", {"HOME": "/home/ann", "XDG_STATE_HOME": "/var/ann"}, "/var/ann/worldwise"),
        ("darwin", {"HOME": "/Users/ann"}, "/Users/ann/Library/Application Support/worldwise"),
        ("win32", {"HOME": "/ann", "LOCALAPPDATA": "/ann/Local"}, "/ann/Local/worldwise"),
    ],
)
def test_the_folder_is_where_the_system_wants_it(platform, environment, folder):
    assert state_folder(platform, environment) == Path(folder)
