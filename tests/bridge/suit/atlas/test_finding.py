"""Questions to the whole atlas, each against a plain loop over its rows; tables against entries; exports read back."""

import csv
from collections import defaultdict
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.atlas.combinations import DEALS, WHOLE, Form
from worldwise.bridge.suit.atlas.exporting import export
from worldwise.bridge.suit.atlas.finding import EXTREMES, AtlasQuery, draw, find, top
from worldwise.bridge.suit.atlas.statistics import chance_map, group_statistics
from worldwise.bridge.suit.drill_levels import level_of
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.errors import InputError, UnknownNameError


@cache
def atlas():
    return open_atlas()


@cache
def suits():
    """Every combination as a dictionary of plain values, with its goals as such."""
    goals = defaultdict(list)
    names = atlas().goals.dtype.names
    for row, values in enumerate(atlas().goals.tolist()):
        goal = dict(zip(names, values, strict=True))
        goals[goal["number"]].append({**goal, "row": row})
    names = atlas().table.dtype.names
    return [
        {**dict(zip(names, row, strict=True)), "goals": goals[place]}
        for place, row in enumerate(atlas().table.tolist())
    ]


# ---------------------------------------------------------------------- tables


def test_rows_say_what_entries_say():
    """The tables are made of whole arrays, an entry of one suit's numbers."""
    for suit in Random(2511).sample(suits(), 200):
        entry = atlas().entry(Suit.of(suit["north"], suit["south"]))
        assert suit["average"] == pytest.approx(float(entry.average), abs=1e-12)
        assert suit["double_dummy"] == pytest.approx(float(entry.double_dummy), abs=1e-12)
        assert suit["dealt"] == pytest.approx(entry.form.deals / DEALS)
        assert suit["possible"] == len(entry.goals) == len(suit["goals"])
        assert suit["certain"] == sum(goal.chance == 1 for goal in entry.goals)
        assert suit["goal"] == (entry.uncertain.tricks if entry.uncertain else 0)
        assert suit["chance"] == pytest.approx(float(entry.uncertain.chance if entry.uncertain else 0))
        found = {name: [Fraction(goal[name], WHOLE) for goal in suit["goals"]] for name in EXTREMES.values()}
        assert found["fusion"] == [goal.fusion_gap for goal in entry.goals]
        assert found["safety"] == [goal.safety_gain for goal in entry.goals]
        assert found["sampling"] == [goal.sampling_loss for goal in entry.goals]
        assert found["hardness"] == [goal.hardness for goal in entry.goals]
        for name, values in found.items():
            assert suit[name] == pytest.approx(float(max(values, default=0)))


def test_everything_is_dealt_once():
    """Together with the suit of which declarer has no card, all combinations are all deals."""
    none = float(Form(((0, 0),) * 14).deals / DEALS)
    assert atlas().table["dealt"].sum() + none == pytest.approx(1)


def test_no_line_beats_the_best_one():
    goals = atlas().goals
    for name in ("safety", "sampling", "finesse", "drop", "fusion"):
        assert (goals[name] <= WHOLE).all(), name
    assert (goals["chance"] + goals["fusion"].astype(np.int64) <= WHOLE).all()
    assert (goals["chance"] > 0).all()
    inside = goals["number"][1:] == goals["number"][:-1]
    assert (goals["chance"][1:][inside] <= goals["chance"][:-1][inside]).all()


# ---------------------------------------------------------------------- finding


DESCRIPTIONS = [
    {"missing": "K J", "length": "8", "goal": 4, "chance": "45..55"},
    {"missing": "Q", "shape": "5-4"},
    {"missing": "-", "length": "5..6", "goal": 5},
    {"missing": "AT9", "chance": "10..20"},
    {"chance": "50"},
]


@pytest.mark.parametrize("description", DESCRIPTIONS, ids=str)
def test_what_is_found_is_what_fits(description):
    wanted = {goal["row"] for suit in suits() if fits(suit, description) for goal in goals_of(suit, description)}
    found = find(atlas(), AtlasQuery.of(**description), count=1_000_000)
    assert set(found.rows) == wanted
    assert found.total == len(wanted) > 0


def fits(suit, description):
    held = suit["north"] + suit["south"]
    named = description.get("missing")
    if named is not None:
        named = named.replace(" ", "").replace("-", "")
        if any(card in held for card in named) or any(card not in held for card in "AKQJ" if card not in named):
            return False
    low, _, high = description.get("length", "1..13").partition("..")
    if not int(low) <= suit["cards"] <= int(high or low):
        return False
    shape = f"{suit['longer']}-{suit['cards'] - suit['longer']}"
    return description.get("shape", shape) == shape


def goals_of(suit, description):
    low, dots, high = description.get("chance", "0..100").partition("..")
    low, high = (float(low), float(high)) if dots else (float(low) - 0.005, float(low) + 0.005)
    for goal in suit["goals"]:
        if not low <= 100 * goal["chance"] / WHOLE <= high or goal["tricks"] != description.get("goal", goal["tricks"]):
            continue
        if "goal" in description or "chance" in description or goal["tricks"] == suit["goal"]:
            yield goal


def test_what_comes_first():
    wanted = AtlasQuery.of(length="8")
    for order, key in (("dealt", "dealt"), ("chance", "chance"), *EXTREMES.items()):
        rows = find(atlas(), wanted, order=order, count=500).rows
        goals = atlas().goals[rows]
        values = atlas().table["dealt"][goals["number"]] if key == "dealt" else goals[key]
        assert (values[:-1] >= values[1:]).all(), order
    first, second = (find(atlas(), wanted, count=5, skip=skip).rows for skip in (0, 5))
    assert first + second == find(atlas(), wanted, count=10).rows


@pytest.mark.parametrize("by", EXTREMES)
def test_extremes(by):
    """Every suit once, with the goal in which it is greatest."""
    column = EXTREMES[by]
    best = [max((goal[column] for goal in suit["goals"]), default=0) for suit in suits()]
    found = top(atlas(), by, count=300)
    goals = atlas().goals[found.rows]
    assert goals[column].tolist() == sorted(best, reverse=True)[:300]
    assert len(set(goals["number"].tolist())) == 300
    assert found.total == sum(value > 0 for value in best)


def test_names_that_are_none():
    with pytest.raises(UnknownNameError, match="did you mean 'hardest'"):
        top(atlas(), "hardst")
    with pytest.raises(UnknownNameError, match="unknown order"):
        find(atlas(), AtlasQuery(), order="length")
    with pytest.raises(UnknownNameError, match="unknown grouping"):
        group_statistics(atlas(), "colour")
    with pytest.raises(UnknownNameError, match="unknown weighing"):
        group_statistics(atlas(), "length", "twice")


# ---------------------------------------------------------------------- at random


def test_a_suit_of_a_level_is_one_of_the_drill(needs_kernels):
    for level in (1, 2, 3):
        for seed in range(6):
            goal = atlas().goals[draw(atlas(), seed, level)]
            suit = atlas().table[goal["number"]]
            assert level_of(SuitSolver(Suit.of(suit["north"], suit["south"])), int(goal["tricks"])) == level


def test_drawn_as_asked():
    wanted = AtlasQuery.of(missing="Q", length="9")
    rows = [draw(atlas(), seed, 1, wanted) for seed in range(20)]
    assert rows == [draw(atlas(), seed, 1, wanted) for seed in range(20)]
    assert len(set(rows)) > 10
    numbers = atlas().goals["number"][rows]
    assert set(atlas().table["missing_honours"][numbers].tolist()) <= {"Q", "QT"}
    assert set(atlas().table["cards"][numbers].tolist()) == {9}
    with pytest.raises(InputError, match="found none"):
        draw(atlas(), 0, 3, AtlasQuery.of(length="1"))
    with pytest.raises(InputError, match="expected a level from 1 to 3, found 4"):
        draw(atlas(), 0, 4)


# ---------------------------------------------------------------------- statistics


@pytest.mark.parametrize("weighing", ["alike", "dealt"])
@pytest.mark.parametrize("by", ["length", "honours", "shape"])
def test_statistics(by, weighing):
    groups = defaultdict(list)
    for suit in suits():
        groups[group_of(suit, by)].append(suit)
        groups["all"].append(suit)
    found = group_statistics(atlas(), by, weighing)
    assert {one.group: one.combinations for one in found} == {name: len(group) for name, group in groups.items()}
    for one in found:
        group = groups[one.group]
        weights = [suit["dealt"] if weighing == "dealt" else 1 for suit in group]

        def mean(value, group=group, weights=weights):
            return sum(weight * value(suit) for weight, suit in zip(weights, group, strict=True)) / sum(weights)

        assert one.dealt == pytest.approx(sum(suit["dealt"] for suit in group))
        assert one.average == pytest.approx(mean(lambda suit: suit["average"]))
        assert one.uncertain == pytest.approx(mean(lambda suit: suit["goal"] > 0))
        assert one.sampling_right == pytest.approx(
            mean(lambda suit: not any(goal["sampling"] for goal in suit["goals"]))
        )


def group_of(suit, by):
    if by == "length":
        return str(suit["cards"])
    if by == "shape":
        return f"{suit['longer']}-{suit['cards'] - suit['longer']}"
    return "".join(card for card in "AKQJT" if card not in suit["north"] + suit["south"]) or "-"


def test_the_map():
    tricks, cells = 4, defaultdict(list)
    for suit in suits():
        missing = "".join(card for card in "AKQJ" if card not in suit["north"] + suit["south"]) or "-"
        cells[suit["cards"], missing].append(suit)
    found = chance_map(atlas(), tricks)
    assert {(cell.cards, cell.missing_honours): cell.combinations for cell in found} == {
        key: len(group) for key, group in cells.items()
    }
    for cell in found:
        group = cells[cell.cards, cell.missing_honours]
        won = [sum(goal["chance"] for goal in suit["goals"] if goal["tricks"] == tricks) / WHOLE for suit in group]
        weights = [suit["dealt"] for suit in group]
        assert cell.chance == pytest.approx(np.average(won, weights=weights))
    with pytest.raises(InputError, match="expected 1 to 13 tricks, found 14"):
        chance_map(atlas(), 14)


# ---------------------------------------------------------------------- exports


def test_a_table_read_back(tmp_path):
    path = tmp_path / "suits.csv"
    assert export(atlas(), path) == len(atlas().table)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, suit in Random(2512).sample(list(zip(rows, suits(), strict=True)), 100):
        assert {name: type(suit[name])(text) for name, text in row.items()} == {name: suit[name] for name in row}


def test_all_goals_read_back(tmp_path):
    path = tmp_path / "goals.csv"
    assert export(atlas(), path, goals=True) == len(atlas().goals)
    with path.open(newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["north"], first["south"]) == atlas().table[["north", "south"]][0].tolist()
    assert int(first["chance"]) == WHOLE


def test_parquet_read_back(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'worldwise[table]'")
    path = tmp_path / "suits.parquet"
    export(atlas(), path)
    table = parquet.read_table(path)
    assert table.column_names == list(atlas().table.dtype.names)
    for name in table.column_names:
        assert table.column(name).to_pylist() == atlas().table[name].tolist()


def test_data_frames():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed: pip install 'worldwise[table]'")
    frame = atlas().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["average"].tolist() == atlas().table["average"].tolist()
    assert len(atlas().to_pandas(goals=True)) == len(atlas().goals)


def test_files_of_other_kinds(tmp_path):
    with pytest.raises(InputError, match=r"expected a file that ends in \.csv or \.parquet, found"):
        export(atlas(), tmp_path / "suits.xlsx")
