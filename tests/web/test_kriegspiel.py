"""The kriegspiel table's interface: a game from start to end, and that nothing hidden is told before it."""

import asyncio
import json
import re
from datetime import date, timedelta
from itertools import combinations
from random import Random
from time import monotonic
from xml.etree import ElementTree

import pytest

from kriegspiel_play import NEEDS_STOCKFISH
from web_client import Client, opened, visit
from web_toys import TOYS
from worldwise.kriegspiel.players import game_so_far
from worldwise.kriegspiel.players.game_so_far import Opponent, StoredGame
from worldwise.kriegspiel.players.game_so_far_json import read_stored_json, stored_json
from worldwise.kriegspiel.players.names import FORMS, STRONGEST, read_player
from worldwise.kriegspiel.players.player import NO_BUDGET, Budget
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import Record, replay
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16
from worldwise.web.app import create_app
from worldwise.web.files import packaged_files
from worldwise.web.pages import kriegspiel as page
from worldwise.web.pages.kriegspiel import KRIEGSPIEL
from worldwise.web.refusal import RefusedError
from worldwise.web.store import FORGET_SECONDS, MOST, Store

QUIET = ("a2a3", "b2b3", "c2c3")
"""Tries that are never refused at the beginning of a game."""


@pytest.fixture(scope="module")
def client():
    client = Client(create_app(pages=(KRIEGSPIEL,)))
    yield client
    client.close()


def request(path, inputs):
    return f"/api/kriegspiel/{path}", {"method": "POST", "chunks": (json.dumps(inputs).encode(),)}


def post(client, path, **inputs):
    target, options = request(path, inputs)
    return client.ask(target, **options)


def steps(client, path, **inputs):
    target, options = request(path, inputs)
    events = client.stream(target, **options).events
    assert events[-1] == ("end", {})
    return [data for name, data in events if name == "step"]


def started(client, player="rand", **inputs):
    return post(client, "start", player=player, seconds="0.1", **inputs).json


# ---------------------------------------------------------------------- a game


def test_a_game_from_start_to_end(client):
    table, rng = started(client, seed=7), Random(3)
    assert (table["pieces"], table["colour"], table["yours"]) == ("RNBQKBNRPPPPPPPP" + 48 * ".", "white", True)
    assert len(table["tries"]) == 20
    for _ in range(12):
        move = rng.choice(table["tries"])
        table = post(client, "go", game=table["game"], move=move).json
        assert move in [line["move"] for line in table["log"]]
    heard = post(client, "record", game=table["game"]).text
    over = post(client, "resign", game=table["game"]).json
    assert (over["over"], over["yours"], over["result"], over["ended"]) == (True, False, "0-1", "you resign")
    record = read_pgn(post(client, "record", game=table["game"]).text)[0]
    assert (record.white, record.black, record.result) == ("you", "rand", "0-1")
    assert '[Side "white"]' in heard
    story = post(client, "story", game=table["game"]).json
    assert story["first"] == START.pieces
    assert [read_uci(line["move"]) for line in story["tries"]] == [event.move for event in record.events]
    assert story["tries"][-1]["board"] == replay(record).board.pieces
    assert [line for line in table["log"] if line["by"] == "white"] == [
        {key: value for key, value in {**line, "san": told["san"]}.items() if key != "board"}
        for line, told in zip(
            [line for line in story["tries"] if line["by"] == "white"],
            [line for line in table["log"] if line["by"] == "white"],
            strict=True,
        )
    ]
    sans = [line["san"] for line in table["log"] if line["by"] == "white" and not line["refused"]]
    assert sans, "something was accepted"
    assert [word for word in heard.split() if word in sans] == sans, "as the record has them"


def test_records_have_the_date(client):
    game = started(client)["game"]
    heard = post(client, "record", game=game).text
    post(client, "resign", game=game)
    today = {f'[Date "{day:%Y.%m.%d}"]' for day in (date.today() - timedelta(days=1), date.today())}
    for text in (heard, post(client, "record", game=game).text):
        assert today & set(text.splitlines())


def told_game(client, **inputs):
    """Some moves against one who tries anything, and the whole record."""
    game = started(client, **inputs)["game"]
    for move in QUIET:
        post(client, "go", game=game, move=move)
    heard = post(client, "record", game=game).text
    post(client, "resign", game=game)
    return heard, read_pgn(post(client, "record", game=game).text)[0]


def test_every_game_has_a_seed_by_which_it_can_be_repeated(client):
    heard, record = told_game(client)
    seed = dict(record.tags)["Seed"]
    assert "Seed" not in heard
    assert seed not in heard
    assert told_game(client)[1].events != record.events
    for _ in range(2):
        assert told_game(client, seed=int(seed))[1].events == record.events


def test_two_games_of_a_seed_do_not_mix(client):
    one, other = (started(client, seed=7)["game"] for _ in range(2))
    for move in QUIET:
        tables = [post(client, "go", game=game, move=move).json for game in (one, other)]
        assert tables[0]["log"] == tables[1]["log"]
    for game in (one, other):
        post(client, "resign", game=game)
    stories = [post(client, "story", game=game).json for game in (one, other)]
    assert stories[0] == stories[1]


def test_a_try_is_made_on_the_board_that_it_was_meant_for(client):
    game = started(client)["game"]
    table = post(client, "go", game=game, move="a3", heard=0).json
    assert len(table["log"]) == 2
    for move in ("a3", "h3"):
        answer = post(client, "go", game=game, move=move, heard=0)
        assert (answer.status, answer.json["where"]) == (409, "heard")
        assert "the game went on elsewhere" in answer.json["error"]
    assert post(client, "go", game=game).json == table
    assert post(client, "go", game=game, move="h3", heard=2).status == 200


def test_the_player_begins_against_black(client):
    told = steps(client, "start", player="rand", colour="black", rules="berkeley")
    assert [step["yours"] for step in told[:1]] == [False]
    assert told[-1]["yours"]
    assert told[-1]["log"][-1]["words"] == "white moves: nothing is said"
    assert told[-1]["pieces"][-8:] == "rnbqkbnr"
    assert told[-1]["log"][-1]["move"] is None


@pytest.mark.parametrize("rules", RULES)
def test_the_rules_say_when_a_game_is_stopped(client, rules):
    told = client.ask(f"/api/kriegspiel/rules?rules={rules}").json
    assert (told["rules"], told["plies"]) == (rules, page.PLIES)
    assert told["words"].count("a draw after") == 1
    assert told["words"].endswith(" The game is a draw after 600 plies.")
    game = started(client, rules=rules)["game"]
    assert f"ply_limit={told['plies']}" in post(client, "record", game=game).text


@pytest.mark.parametrize("seconds", [1, 1.0, 0.5, "1", "0.5"])
def test_seconds_are_numbers_or_texts(client, seconds):
    answer = post(client, "start", player="rand", seconds=seconds)
    assert (answer.status, answer.json["seconds"]) == (200, float(seconds))


def test_seconds_that_are_not_offered_are_refused_by_what_is(client):
    answer = post(client, "start", player="rand", seconds=3)
    assert answer.json == {"error": "expected one of 0.1, 0.5, 1, 2, 5, 10, found 3", "where": "seconds"}


def test_either_colour_comes_up(client):
    assert {started(client, colour="either")["colour"] for _ in range(20)} == {"white", "black"}


def at(first, seed=5):
    """A game from any board against one who tries anything, as the server would keep it."""
    opponent = Opponent("rand", read_player("rand"), BLACK, WILD16, seed, NO_BUDGET)
    return json.dumps(stored_json(StoredGame.of(opponent, read_fen(first)))).encode()


def test_a_mate_ends_the_game():
    (told,) = page.go(game="g", kept=at("k7/7R/1K6/8/8/8/8/8 w"), move="Rh8")
    assert (told.told["over"], told.told["result"], told.told["ended"]) == (True, "1-0", "mate")
    assert told.told["tries"] == []


def test_a_promotion_and_a_refusal():
    kept = at("7k/P7/8/8/8/8/6p1/K7 w")
    made, *_ = page.go(game="g", kept=kept, move="a8=N")
    assert made.told["pieces"][56] == "N"
    (refused,) = page.go(game="g", kept=at("1r5k/8/8/8/8/8/8/K7 w"), move="a1b1")
    assert (refused.told["yours"], refused.told["refused"]) == (True, ["a1b1"])
    assert "a1b1" not in refused.told["tries"]
    with pytest.raises(RefusedError, match="found 'a1b1', which has been refused"):
        next(page.go(game="g", kept=refused.kept, move="a1b1"))


def forms():
    return [form.replace("D", "1").replace("CAUTION", "0.3") for form in FORMS]


@pytest.mark.parametrize(
    "player", [pytest.param(form, marks=NEEDS_STOCKFISH) if form == "engine" else form for form in forms()]
)
def test_every_player_plays(client, player, needs_kernels):
    table = started(client, player)
    table = post(client, "go", game=table["game"], move="e4").json
    assert (table["opponent"], table["yours"]) == (player, True)
    post(client, "resign", game=table["game"])
    beliefs = post(client, "story", game=table["game"]).json["beliefs"]
    assert [one["after"] for one in beliefs] == ([] if player in ("rand", "simple") else [1])
    for one in beliefs:
        assert one["belief"]["boards"] == 20
        assert one["belief"]["chances"]["K"][4] == 1000


# ---------------------------------------------------------------------- what is hidden


def played(client, rules):
    """All bytes of a game until the person resigns, and then the truth."""
    answers = [post(client, "start", player="rand", rules=rules, seconds="0.1")]
    game = answers[0].json["game"]
    for move in QUIET:
        target, options = request("go", {"game": game, "move": move})
        answers += [
            client.stream(target, **options),
            post(client, "belief", game=game),
            post(client, "record", game=game),
            post(client, "go", game=game),
        ]
    post(client, "resign", game=game)
    truth = read_pgn(post(client, "record", game=game).text)[0]
    return [(answer.status, answer.headers, answer.body.replace(game.encode(), b"ID")) for answer in answers], truth


@pytest.mark.parametrize(("rules", "games"), [("wild16", 6), ("cincinnati", 6)])
def test_no_byte_depends_on_what_is_hidden(client, rules, games, needs_kernels):
    """Games that sounded alike gave the same bytes, up to the place where they first sounded otherwise."""
    found = [played(client, rules) for _ in range(games)]
    alike = 0
    for (one, true_one), (other, true_other) in combinations(found, 2):
        for turns in range(len(QUIET) + 1):
            first, second = (turns_of(record, turns) for record in (true_one, true_other))
            if heard(first) != heard(second):
                break
            assert one[: 1 + 4 * turns] == other[: 1 + 4 * turns]
            alike += first.events != second.events
    assert alike, "expected some games that differed in what is hidden and sounded alike"


def turns_of(record, turns):
    """The first turns of a game, of both players."""
    events, made = [], 0
    for event in record.events:
        if made == 2 * turns:
            break
        events.append(event)
        made += not event.is_refusal
    return Record(record.rules, record.first, tuple(events))


def heard(record):
    return Kriegspiel(record.rules).observe(replay(record), WHITE)


def test_no_answer_has_the_opponents_moves_or_men(client):
    told, truth = played(client, "berkeley")
    moves = [line["move"] for line in page.story_json(truth.first, truth.events) if line["by"] == "black"]
    assert len(moves) >= len(QUIET)
    bodies = [body.decode() for _, _, body in told]
    assert [(move, body) for move in moves for body in bodies if move in body] == []
    tables = [json.loads(found) for body in bodies for found in re.findall(r'\{"game".*\}', body)]
    assert len(tables) > len(QUIET)
    for table in tables:
        assert not re.search("[a-z]", table["pieces"])
        assert {line["move"] for line in table["log"] if line["by"] == "black"} <= {None}
        assert "board" not in json.dumps(table)


def test_the_truth_is_not_told_before_the_end(client):
    game = started(client)["game"]
    answer = post(client, "story", game=game)
    assert (answer.status, answer.json["where"]) == (400, "game")
    assert "FEN" not in post(client, "record", game=game).text


def test_steps_are_for_what_is_heard_alone():
    """By wild16 refusals are not heard, so a player who is refused often takes no more steps than another."""
    refused = 0
    for seed in range(6):
        *_, last = told = list(page.go(game="g", kept=at("7k/8/8/8/8/8/P7/K5R1 w", seed), move="a2a3"))
        refused += sum(event.is_refusal for event in read_stored_json(json.loads(last.kept)).session.state.events)
        assert len(told) == 2
    assert refused


# ---------------------------------------------------------------------- help


def test_the_help_knows_what_was_heard(client, needs_kernels):
    game = started(client)["game"]
    post(client, "go", game=game, move="e4")
    told = post(client, "belief", game=game).json
    assert (told["boards"] <= 20, told["exact"]) == (True, True)
    assert sum(map(sum, told["chances"].values())) == pytest.approx(16_000, abs=64)
    assert ElementTree.fromstring(told["svg"]).tag.endswith("svg")


# ---------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("path", "inputs", "status", "where"),
    [
        ("start", {"player": "deep blue"}, 400, "player"),
        ("start", {"player": "greedy:pool=999999"}, 400, "player"),
        ("start", {"player": "overconfident:9"}, 400, "player"),
        ("start", {"player": "wary:2,seconds=5"}, 400, "player"),  # its turns would take as long as it has tries
        ("start", {"player": "overconfident:2,again=1"}, 400, "player"),
        ("start", {"rules": "chess"}, 400, "rules"),
        ("start", {"seconds": "60"}, 400, "seconds"),
        ("start", {"seconds": 60}, 400, "seconds"),
        ("start", {"seconds": True}, 400, "seconds"),
        ("start", {"seconds": [1]}, 400, "seconds"),
        ("start", {"colour": "red"}, 400, "colour"),
        ("start", {"seed": -1}, 400, "seed"),
        ("start", {"seed": 2**48}, 400, "seed"),
        ("go", {"game": "nothing", "move": "e4"}, 404, "game"),
        ("go", {"move": "e4"}, 400, "game"),
        ("go", {"game": "G", "move": "e5"}, 400, "move"),
        ("go", {"game": "G", "move": "e2e4e5"}, 400, "move"),
        ("go", {"game": "G", "move": 7}, 400, "move"),
        ("story", {"game": "G"}, 400, "game"),
        ("resign", {"game": "../G"}, 404, "game"),
    ],
)
def test_bad_requests(client, path, inputs, status, where):
    inputs = {**inputs, **({"game": started(client)["game"]} if inputs.get("game") == "G" else {})}
    answer = post(client, path, **inputs)
    assert (answer.status, answer.json["where"]) == (status, where)
    assert re.match("expected|unknown", answer.json["error"]) or ": expected" in answer.json["error"]


def test_a_game_that_is_over_is_over(client):
    game = started(client)["game"]
    post(client, "resign", game=game)
    for path, inputs in [("go", {"move": "e4"}), ("resign", {}), ("belief", {})]:
        assert post(client, path, game=game, **inputs).status == 400
    assert post(client, "go", game=game).json["over"]


def test_a_game_that_could_not_start_is_not_kept():
    async def refused():
        async with opened(create_app(pages=(KRIEGSPIEL,))) as app:
            target, options = request("start", {"player": "nobody"})
            return (await visit(app, target, **options).answer()).status

    assert asyncio.run(refused()) == 400


def test_one_request_at_a_time():
    """The same try twice at once: one is made, the other comes when it is made already."""

    async def asked():
        async with opened(create_app(pages=(KRIEGSPIEL,))) as app:
            target, options = request("start", {"player": "rand"})
            game = (await visit(app, target, **options).answer()).json["game"]
            target, options = request("go", {"game": game, "move": "e2e4"})
            both = [visit(app, target, **options) for _ in range(2)]
            return [await one.answer() for one in both]

    first, second = asyncio.run(asked())
    assert (first.status, second.status) == (200, 400)
    assert len([line for line in first.json["log"] if line["by"] == "white"]) == 1


def test_who_leaves_may_come_back():
    async def left():
        async with opened(create_app(pages=(KRIEGSPIEL,))) as app:
            target, options = request("start", {"player": "rand"})
            game = (await visit(app, target, **options).answer()).json["game"]
            target, options = request("go", {"game": game, "move": "e2e4"})
            gone = visit(app, target, headers={"accept": "text/event-stream"}, **options)
            await gone.until(b"step")
            await gone.leave()
            target, options = request("go", {"game": game})
            return (await visit(app, target, **options).answer()).json

    table = asyncio.run(left())
    assert table["yours"]
    assert [line["move"] for line in table["log"] if line["by"] == "white"] == ["e2e4"]


# ---------------------------------------------------------------------- the time of an answer


def test_a_turn_takes_its_time_however_many_tries_it_has(client):
    """Who tries anything needs no time at all, so without a pace of its own each of his tries would show."""
    game, times = started(client)["game"], []
    for move in QUIET:
        begun = monotonic()
        table = post(client, "go", game=game, move=move).json
        times.append(monotonic() - begun)
    assert table["yours"]
    assert min(times) >= page.LEAST_TURN


@pytest.mark.parametrize("rules", RULES)
def test_the_steps_of_a_turn_have_its_pace_unless_every_try_is_heard(rules):
    seen = []
    for seed in range(10):
        opponent = Opponent("rand", read_player("rand"), BLACK, RULES[rules], seed, Budget(seconds=1))
        kept = json.dumps(stored_json(StoredGame.of(opponent))).encode()
        yours, *turn = page.go(game="g", kept=kept, move="d2d4")
        assert yours.pace == 0
        seen.append((len(turn), {step.pace for step in turn}))
    counts = {count for count, _ in seen}
    assert {frozenset(paces) for _, paces in seen} == {frozenset({0.0 if RULES[rules].refusals_heard else 2.0})}
    assert RULES[rules].refusals_heard or counts == {1}


def test_a_turn_that_took_too_long_shows_once():
    """What comes after it in the same game waits as long; the toy's turns take 3 of its paces, then none."""

    async def played():
        async with opened(create_app(pages=(TOYS,))) as app:
            found = []
            for pause in (0, 300, 0, 0):
                body = {"pause": pause, **({"game": found[0].json["game"]} if found else {})}
                target = "/api/toys/paced" if found else "/api/toys/seat"
                begun = monotonic()
                found.append(await visit(app, target, method="POST", chunks=(json.dumps(body).encode(),)).answer())
                times.append(monotonic() - begun)

    times = []
    asyncio.run(played())
    assert times[0] >= 0.1
    assert min(times[1:]) >= 0.4


def test_nobody_sees_early_that_a_turn_is_over():
    """The player has moved long ago, but that is remembered in its time only: who comes back early finds nothing."""

    async def left():
        async with opened(create_app(pages=(KRIEGSPIEL,))) as app:
            target, options = request("start", {"player": "rand", "seconds": "10"})
            game = (await visit(app, target, **options).answer()).json["game"]
            target, options = request("go", {"game": game, "move": "e2e4"})
            gone = visit(app, target, headers={"accept": "text/event-stream"}, **options)
            await gone.until(b"step")
            await asyncio.sleep(0.5)
            await gone.leave()
            target, options = request("record", {"game": game})
            return gone.body, (await visit(app, target, **options).answer()).text

    seen, record = asyncio.run(left())
    assert seen.count(b"event: step") == 1
    assert [event.colour for event in read_pgn(record)[0].events] == [WHITE]


# ---------------------------------------------------------------------- the store


def kept_in(store, name=None, content=b"x"):
    async def keep():
        async with store.open(name) as place:
            place.kept = content
        return place.name

    return asyncio.run(keep())


def test_the_eldest_is_forgotten():
    store = Store(most=2)
    one, two = kept_in(store), kept_in(store)
    kept_in(store, one)
    three = kept_in(store)
    assert len(store) == 2
    with pytest.raises(RefusedError, match="expected a game that is remembered"):
        kept_in(store, two)
    assert {kept_in(store, one), kept_in(store, three)} == {one, three}


def test_what_nobody_asks_about_is_forgotten():
    now = [0.0]
    store = Store(clock=lambda: now[0])
    one = kept_in(store)
    now[0] = FORGET_SECONDS
    assert kept_in(store, one) == one
    now[0] = 2 * FORGET_SECONDS + 1
    with pytest.raises(RefusedError) as refusal:
        kept_in(store, one)
    assert (refusal.value.status, len(store)) == (404, 0)


def test_what_is_in_use_is_not_forgotten():
    async def crowded():
        store = Store(most=1)
        async with store.open(None) as place:
            place.kept = b"x"
            with pytest.raises(RefusedError, match="1 games are under way"):
                await store.open(None).__aenter__()
        return len(store)

    assert asyncio.run(crowded()) == 1


def test_names_cannot_be_guessed():
    store = Store(most=MOST)
    names = {kept_in(store) for _ in range(20)}
    assert len(names) == 20
    assert min(map(len, names)) >= 22


def test_what_was_never_filled_is_given_up():
    store = Store()
    kept_in(store, content=None)
    assert len(store) == 0


# ---------------------------------------------------------------------- the page and the players


def test_the_form_offers_what_there_is():
    html = packaged_files()["kriegspiel.html"].content.decode()
    offered = {
        name: re.findall(r'<option value="([^"]*)"', select)
        for name, select in re.findall(r'<select id="(\w+)" name="\w+"[^>]*>(.*?)</select>', html, re.DOTALL)
    }
    assert set(offered["rules"]) == set(RULES)
    assert offered["seconds"] == list(map(str, page.START[3].options))
    chosen = re.search(r'<option value="(\w+)"[^>]* selected>Expert', html)
    assert read_player(chosen[1]) == read_player(STRONGEST), "unless you choose, you meet the strongest"
    players = [page._player(text) for text in offered["player"] if text]
    kinds = set(map(type, players))
    assert kinds == {type(read_player(text)) for text in forms()}


def test_a_player_who_hears_the_game_again_goes_on_alike(needs_kernels):
    opponent = Opponent("greedy", read_player("greedy:boards=10,pool=50"), BLACK, WILD16, 7, NO_BUDGET)
    stored = StoredGame.of(opponent)
    for move in ("e4", "d4", "Nf3"):
        stored = stored.after(stored.session.move(move))
        before = json.dumps(stored_json(stored))
        stored = turn(stored)
        game_so_far._seat_of.cache_clear()
        assert turn(read_stored_json(json.loads(before))).session.state == stored.session.state
    assert stored.thoughts[0].tries == 1
    assert stored.session.yours


def turn(stored):
    """All tries of the player's turn."""
    while not stored.session.over and not stored.session.yours:
        stored = stored.reply()
    return stored


def test_two_games_do_not_mix():
    opponents = [Opponent("rand", read_player("rand"), BLACK, WILD16, seed, Budget(seconds=0.1)) for seed in (1, 2)]
    apart = [turn(one.after(one.session.move("e4"))) for one in map(StoredGame.of, opponents)]
    assert apart[0].session.state != apart[1].session.state
    assert apart[0].session.observed.events == apart[1].session.observed.events
