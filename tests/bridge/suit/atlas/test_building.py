"""An atlas in the making: small ones, cut short and gone on with, and files that are none."""

import json
import zipfile
from random import Random

import numpy as np
import pytest

from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.atlas.building import ATLAS, REVISIONS, AtlasRun, put_together
from worldwise.bridge.suit.atlas.combinations import WHOLE, Form, forms
from worldwise.bridge.suit.atlas.players import Played, play
from worldwise.bridge.suit.atlas.solving import SolvedSuit, solve
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.rules_of_thumb import RULES_OF_THUMB, ThumbLine
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.thumb_players import won_by_rule
from worldwise.errors import InputError
from worldwise.runs.runners import Serial, complete_file

SMALL = (0, 1, 12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An atlas of thirteen cards, twelve, and one."""
    path = tmp_path_factory.mktemp("atlas")
    for name in REVISIONS:
        run = AtlasRun(name, SMALL)
        complete_file(path / run.file_name, run, Serial())
    put_together(path, SMALL)
    return path


def test_what_it_says_is_what_the_solver_says(folder):
    atlas = open_atlas(folder / ATLAS)
    assert atlas.about["combinations"] == len(atlas.table) == 7 + 231 + 13
    for missing in SMALL:
        for form in list(forms(missing))[::5]:
            entry, solver = atlas.entry(form.suit), SuitSolver(form.suit)
            answers = [answer for answer in solver.goals if answer.chance]
            assert [goal.chance for goal in entry.goals] == [answer.chance for answer in answers]
            assert [goal.double_dummy for goal in entry.goals] == [answer.double_dummy for answer in answers]
            assert [goal.first_plays for goal in entry.goals] == [answer.first_plays for answer in answers]
            assert (entry.average, entry.double_dummy) == (solver.expected.tricks, solver.expected.double_dummy)
            assert sum(goal.on_average for goal in entry.goals) == entry.average


def test_plays_of_the_suit_that_was_asked_for(folder):
    """Hands the other way round, and other cards that touch: the plays are of its own cards."""
    suit = Suit.of("QJT2", "A9876543")
    entry = open_atlas(folder / ATLAS).entry(suit)
    assert entry.canonical == Suit.of("AQJT9876", "5432")
    assert [goal.first_plays for goal in entry.goals] == [answer.first_plays for answer in SuitSolver(suit).goals]


def test_it_goes_on_where_it_was(folder, tmp_path):
    """Cut in the middle of a line: the same atlas comes out."""
    for name in REVISIONS:
        run = AtlasRun(name, SMALL)
        whole = (folder / run.file_name).read_bytes()
        (tmp_path / run.file_name).write_bytes(whole[: len(whole) * 2 // 3])
        with pytest.raises(InputError, match="blocks are not done yet"):
            put_together(tmp_path, SMALL)
        assert complete_file(tmp_path / run.file_name, run, Serial()) > 0
    put_together(tmp_path, SMALL)
    assert columns(tmp_path / ATLAS) == columns(folder / ATLAS)


def columns(path):
    with np.load(path) as found:
        return {name: found[name].tolist() for name in found.files if name != "about.json"}


def test_it_can_be_made_larger(folder, tmp_path):
    for name in REVISIONS:
        larger = AtlasRun(name, (0, 1, 11, 12))
        (tmp_path / larger.file_name).write_bytes((folder / larger.file_name).read_bytes())
        assert complete_file(tmp_path / larger.file_name, larger, Serial()) == len(AtlasRun(name, (11,)).pairs)
    assert put_together(tmp_path, (0, 1, 11, 12))["combinations"] == 7 + 231 + 13 + 156


def test_anybody_with_numpy_can_read_it(folder):
    """The format as the documentation tells it."""
    with np.load(folder / ATLAS) as found:
        code, goals, chance = (found[f"01/{name}"] for name in ("code", "goals", "chance"))
    place = int(np.flatnonzero(code == Form.of(Suit.of("AQJT9876", "5432")).code)[0])
    start = int(goals[:place].sum())
    assert (chance[start : start + goals[place]] == WHOLE).all()


@pytest.mark.parametrize(
    "fault", ["no zip", "nothing in it", "another format", "a column less", "short", "other numbers"]
)
def test_files_that_are_no_atlas(folder, tmp_path, fault):
    path = tmp_path / "spoilt.npz"
    with zipfile.ZipFile(folder / ATLAS) as good:
        parts = {name: good.read(name) for name in good.namelist()}
    if fault == "nothing in it":
        parts = {}
    elif fault == "another format":
        parts["about.json"] = json.dumps({"format": 99}).encode()
    elif fault == "a column less":
        del parts["01/chance.npy"]
    elif fault == "short":
        parts["01/chance.npy"] = parts["01/chance.npy"][:-8]
    elif fault == "other numbers":
        parts["01/chance.npy"] = parts["01/average.npy"]
    with zipfile.ZipFile(path, "w") as bad:
        for name, data in parts.items():
            bad.writestr(name, data)
    if fault == "no zip":
        path.write_text("AKQ")
    with pytest.raises(InputError, match=r"spoilt\.npz: expected an atlas of suits, found something else"):
        open_atlas(path).entry(Suit.of("AQJT9876", "5432"))


def test_what_an_atlas_lacks(folder):
    with pytest.raises(InputError, match="this atlas has no suits with 5 cards missing"):
        open_atlas(folder / ATLAS).entry(Suit.of("AKQ54", "876"))
    with pytest.raises(InputError, match="nothing is known but declarer's cards"):
        open_atlas(folder / ATLAS).entry(Suit.of("AKQJT98", "76543", west_cards=10))


@pytest.mark.parametrize("text", ["", "1", "1 2 3", "1 2;3", "1 2;3 4 5 x", "1 2;3 4 5 6 7"])
def test_spoilt_rows(text):
    with pytest.raises(InputError, match="expected a combination of the atlas"):
        SolvedSuit.read(text)


def test_rows_there_and_back(needs_kernels):
    suit = Suit.of("AQT9", "432")
    assert SolvedSuit.read(str(solve(suit))) == solve(suit)
    assert Played.read(str(play(suit))) == play(suit)


def test_rules_of_thumb_and_their_kernel(needs_kernels):
    """The same worlds as the readable line, for every goal."""
    rng = Random(2504)
    for _ in range(6):
        cards = rng.sample(range(2, 15), rng.randint(5, 8))
        half = rng.randint(1, 4)
        suit = Suit(*(tuple(sorted(hand, reverse=True)) for hand in (cards[half:], cards[:half])))
        solver = SuitSolver(suit)
        for tricks in range(1, suit.length + 1):
            for rule in ("finesse", "drop"):
                line = ThumbLine(solver, tricks, RULES_OF_THUMB[rule])
                assert won_by_rule(solver, tricks, rule) == line.wins(solver.root), (suit, tricks, rule)
