"""Reading and writing trees: every text gives the right tree or one clear complaint."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from fractions import Fraction
from io import BytesIO, StringIO
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import INTEGERS, REALS, strategy_count, world_trees
from worldwise import Side, read_tree, tree_from_dict, write_tree
from worldwise.errors import TreeError
from worldwise.testing import check_world_game
from worldwise.trees import notation
from worldwise.trees.notation import tree_parts
from worldwise.trees.preorder import MAX, MIN
from worldwise.trees.world_tree import TreeBuilder, WorldTree

LEAF = '{"payoff": [1, 0]}'
DEEP = 100_000


def whole(root, head='"worlds": 2'):
    return f'{{{head}, "root": {root}}}'


def probabilities(numbers):
    return whole(LEAF, f'"worlds": 2, "probabilities": {numbers}')


def payoff(numbers):
    return whole(f'{{"payoff": {numbers}}}')


SAMPLE = """{
  "title": "a \\u2660 \\"finesse\\"", "worlds": 3, "probabilities": [0.5, 3e-1, 2],
  "world_names": ["\\ud83c\\udca1", "", "w"],
  "root": {"max": [
    {"payoff": [1, 0, -2.5]},
    {"moves": ["a", "b"], "min": [{"payoff": [1, null, 0], "name": "x"}, {"name": "y", "payoff": [null, 1E2, null]},
      ], "name": "m"}
  ], "moves": ["left", "right"]}
}
""".replace("},\n      ]", "}\n      ]")


# ---------------------------------------------------------------------- what is wrong, and where

TOP_KEYS = 'one of the keys "worlds", "probabilities", "world_names", "title", "root"'
NODE_KEYS = 'one of the keys "max", "min", "payoff", "name", "moves"'
A_TREE = 'expected a tree, {"worlds": ..., "root": ...}'
A_NODE = 'expected a node, {"max": ...}, {"min": ...} or {"payoff": ...}'
SAME_WORLDS = "expected MAX's moves to be open in the same worlds (he cannot see the world)"
WORLDS = "at worlds: expected a whole number from 1 to 268435456"

BAD = {
    # the whole
    "empty": ("", f"line 1, column 1: {A_TREE}, found the end of the text"),
    "space-only": (" \r\n ", f"line 2, column 2: {A_TREE}, found the end of the text"),
    "list": ("[1]", f"line 1, column 1: {A_TREE}, found '['"),
    "string": ('"x"', f"""line 1, column 1: {A_TREE}, found '"x"'"""),
    "bom-in-text": ("\ufeff" + whole(LEAF), f"line 1, column 1: {A_TREE}, found '\\ufeff'"),
    "lone-surrogate": ("\ud800", f"line 1, column 1: {A_TREE}, found '\\ud800'"),
    "trailing-text": (whole(LEAF) + " x", "line 1, column 43: expected the end of the text, found 'x'"),
    "two-trees": (whole(LEAF) * 2, "line 1, column 42: expected the end of the text, found '{'"),
    "trailing-nul": (whole(LEAF) + "\0", "line 1, column 42: expected the end of the text, found '\\x00'"),
    "no-keys": ("{}", 'line 1, column 2: expected the key "worlds", found none'),
    "no-root": ('{"worlds": 2\n}', 'line 2, column 1: expected the key "root", found "worlds"'),
    "no-worlds": (f'{{"root": {LEAF}}}', 'line 1, column 28: expected the key "worlds", found "root"'),
    "unknown-key": ('{"worlds": 2, "x": 1}', f"""line 1, column 15: expected {TOP_KEYS}, found '"x"'"""),
    "key-twice": ('{"worlds": 2, "worlds": 2}', 'column 15: expected the key "worlds" only once, found it again'),
    "root-twice": (f'{{"root": {LEAF}, "root"', 'column 30: expected the key "root" only once, found it again'),
    "key-not-a-string": ("{1: 2}", f"line 1, column 2: expected {TOP_KEYS}, found '1'"),
    "surrogate-as-key": ('{"\\ud800": 1}', f"""line 1, column 2: expected {TOP_KEYS}, found '"\\\\ud800"'"""),
    "no-colon": ('{"worlds" 2}', "line 1, column 11: expected \":\", found '2'"),
    "no-comma": ('{"worlds": 2 "root"', """line 1, column 14: expected "," or "}", found '"root"'"""),
    "comma-at-end": ('{"worlds": 2,}', f"line 1, column 14: expected {TOP_KEYS}, found '}}'"),
    # worlds
    "no-worlds-at-all": (whole(LEAF, '"worlds": 0'), f"line 1, column 12, {WORLDS}, found '0'"),
    "negative-worlds": (whole(LEAF, '"worlds": -2'), f"line 1, column 12, {WORLDS}, found '-2'"),
    "float-worlds": (whole(LEAF, '"worlds": 2.0'), f"line 1, column 12, {WORLDS}, found '2.0'"),
    "true-worlds": (whole(LEAF, '"worlds": true'), f"line 1, column 12, {WORLDS}, found 'true'"),
    "null-worlds": (whole(LEAF, '"worlds": null'), f"line 1, column 12, {WORLDS}, found 'null'"),
    "string-worlds": (whole(LEAF, '"worlds": "2"'), f"""line 1, column 12, {WORLDS}, found '"2"'"""),
    "huge-worlds": (whole(LEAF, '"worlds": 1' + 30 * "0"), f"line 1, column 12, {WORLDS}, found '1000"),
    "5000-digit-worlds": (whole(LEAF, '"worlds": 1' + 4999 * "0"), f"line 1, column 12, {WORLDS}, found '1000"),
    "many-worlds": (whole(LEAF, '"worlds": 99999'), "at root.payoff: expected 99999 payoffs, found 2"),
    "worlds-after-root": (
        f'{{"root": {LEAF}, "worlds": 3}}',
        "line 1, column 40, at worlds: expected 2, as many as a leaf has payoffs, found '3'",
    ),
    # probabilities
    "negative-probability": (
        probabilities("[1, -1]"),
        "line 1, column 36, at probabilities[1]: expected a finite number that is not negative, found '-1'",
    ),
    "infinite-probability": (
        probabilities("[1e999, 1]"),
        "line 1, column 33, at probabilities[0]: expected a finite number that is not negative, found '1e999'",
    ),
    "nan-probability": (
        probabilities("[1,\n NaN]"),
        "line 2, column 2, at probabilities[1]: expected a finite number that is not negative, found 'NaN'",
    ),
    "huge-probability": (
        probabilities("[1" + 350 * "0" + ", 1]"),
        "line 1, column 33, at probabilities[0]: expected a finite number that is not negative, found '1000",
    ),
    "5000-digit-probability": (
        probabilities("[1" + 4999 * "0" + ", 1]"),
        "line 1, column 33, at probabilities[0]: expected a finite number that is not negative, found '1000",
    ),
    "true-probability": (probabilities("[true, 1]"), "column 33, at probabilities[0]: expected a number, found 'true'"),
    "null-probability": (probabilities("[1, null]"), "column 36, at probabilities[1]: expected a number, found 'null'"),
    "string-probability": (probabilities('["1", 1]'), "at probabilities[0]: expected a number, found '\"1\"'"),
    "zero-probabilities": (
        probabilities("[0, -0.0]"),
        "line 1, column 32, at probabilities: expected at least one probability above zero, found none",
    ),
    "too-few-probabilities": (
        whole(LEAF, '"probabilities": [1],\n"worlds": 2'),
        "line 1, column 19, at probabilities: expected 2 probabilities, found 1",
    ),
    "too-many-probabilities": (probabilities("[1, 1, 1]"), "at probabilities: expected 2 probabilities, found 3"),
    "no-probabilities": (probabilities("[]"), "at probabilities: expected 2 probabilities, found 0"),
    "probabilities-no-list": (probabilities("1"), "at probabilities: expected a list of numbers, found '1'"),
    # names
    "too-few-world-names": (
        whole(LEAF, '"worlds": 2, "world_names": ["a"]'),
        "line 1, column 30, at world_names: expected 2 names, found 1",
    ),
    "world-name-no-string": (
        whole(LEAF, '"worlds": 2, "world_names": ["a", 1]'),
        "line 1, column 36, at world_names[1]: expected a string, found '1'",
    ),
    "null-title": (whole(LEAF, '"worlds": 2, "title": null'), "at title: expected a string, found 'null'"),
    "number-as-name": (whole('{"payoff": [1, 0], "name": 3}'), "at root.name: expected a string, found '3'"),
    "too-many-moves": (
        whole(f'{{"max": [{LEAF}], "moves": ["a", "b"]}}'),
        "line 1, column 62, at root.moves: expected 1 names of moves, found 2",
    ),
    "too-few-moves": (
        whole(f'{{"min": [{{"moves": [], "max": [{LEAF}]}}]}}'),
        "line 1, column 42, at root.min[0].moves: expected 1 names of moves, found 0",
    ),
    "moves-of-a-leaf": (
        whole('{"payoff": [1, 0], "moves": ["a"]}'),
        "at root.moves: expected 0 names of moves, found 1",
    ),
    "number-as-move": (whole(f'{{"max": [{LEAF}], "moves": [1]}}'), "at root.moves[0]: expected a string, found '1'"),
    "moves-no-list": (
        whole(f'{{"max": [{LEAF}], "moves": 1}}'),
        "at root.moves: expected a list of strings, found '1'",
    ),
    "newline-in-name": (
        whole('{"payoff": [1, 0], "name": "a\nb"}'),
        "line 1, column 52, at root.name: expected a character or escape that JSON allows, found '\\n'",
    ),
    "unknown-escape": (
        whole(r'{"payoff": [1, 0], "name": "a\xb"}'),
        "line 1, column 52, at root.name: expected a character or escape that JSON allows, found '\\\\x'",
    ),
    "endless-string": (whole('{"name": "abc'), "line 1, column 32, at root.name: expected a string, found '\"abc}'"),
    # nodes
    "null-root": (whole("null"), f"line 1, column 23, at root: {A_NODE}, found 'null'"),
    "list-as-root": (whole("[]"), f"line 1, column 23, at root: {A_NODE}, found '['"),
    "no-children": (whole('{"max": []}'), "line 1, column 32, at root.max: expected at least one child, found none"),
    "no-grandchildren": (
        whole(f'{{"min": [{LEAF}, {{"name": "a",\n"max": [ ]}}]}}'),
        "line 2, column 10, at root.min[1].max: expected at least one child, found none",
    ),
    "comma-after-child": (whole(f'{{"max": [{LEAF},]}}'), f"line 1, column 51, at root.max[1]: {A_NODE}, found ']'"),
    "comma-before-child": (whole(f'{{"max": [,{LEAF}]}}'), f"line 1, column 32, at root.max[0]: {A_NODE}, found ','"),
    "no-comma-between": (
        whole(f'{{"max": [{LEAF} {LEAF}]}}'),
        'line 1, column 51, at root.max: expected "," or "]", found \'{\'',
    ),
    "number-as-child": (whole(f'{{"max": [{LEAF}, 3]}}'), f"line 1, column 52, at root.max[1]: {A_NODE}, found '3'"),
    "children-no-list": (whole('{"max": {}}'), "line 1, column 31, at root.max: expected a list of nodes, found '{'"),
    "null-children": (whole('{"min": null}'), "line 1, column 31, at root.min: expected a list of nodes, found 'null'"),
    "unknown-node-key": (
        whole(f'{{"max": [{LEAF}, {{"pay": [1, 0]}}]}}'),
        f"line 1, column 53, at root.max[1]: expected {NODE_KEYS}, found '\"pay\"'",
    ),
    "top-key-in-node": (
        whole('{"worlds": 2}'),
        f"line 1, column 24, at root: expected {NODE_KEYS}, found '\"worlds\"'",
    ),
    "max-twice": (
        whole(f'{{"max": [{LEAF}], "max": [{LEAF}]}}'),
        'line 1, column 53, at root: expected the key "max" only once, found it again',
    ),
    "name-twice": (
        whole('{"name": "a", "n\\u0061me": "b", "payoff": [1, 0]}'),
        'line 1, column 37, at root: expected the key "name" only once, found it again',
    ),
    "max-and-min": (
        whole(f'{{"max": [{LEAF}], "min": [{LEAF}]}}'),
        'line 1, column 60, at root.min: expected only one of "max", "min", "payoff", found "min" as well',
    ),
    "payoff-and-max": (
        whole(f'{{"min": [{{"payoff": [1, 0], "max": [{LEAF}]}}]}}'),
        'line 1, column 58, at root.min[0].max: expected only one of "max", "min", "payoff", found "max" as well',
    ),
    "neither": (
        whole('{"max": [{"name": "a"}]}'),
        'line 1, column 44, at root.max[0]: expected one of the keys "max", "min", "payoff", found "name"',
    ),
    "empty-node": (whole("{}"), 'at root: expected one of the keys "max", "min", "payoff", found none'),
    "closed-too-often": (whole(f'{{"max": [{LEAF}]}}]}}'), 'line 1, column 52: expected "," or "}", found \']\''),
    # payoffs
    "payoff-no-list": (payoff("1"), "line 1, column 34, at root.payoff: expected a list of payoffs, found '1'"),
    "null-payoff": (payoff("null"), "line 1, column 34, at root.payoff: expected a list of payoffs, found 'null'"),
    "no-payoffs": (payoff("[]"), "line 1, column 34, at root.payoff: expected 2 payoffs, found 0"),
    "no-payoffs-first": (
        '{"root": {"payoff": []}',
        "line 1, column 21, at root.payoff: expected some payoffs, found 0",
    ),
    "too-many-payoffs": (
        whole(f'{{"max": [{LEAF}, {{"payoff": [1, 0, 1]}}]}}'),
        "line 1, column 63, at root.max[1].payoff: expected 2 payoffs, found 3",
    ),
    "too-few-payoffs": (
        whole(f'{{"max": [\r\n  {LEAF},\r\n  {{"payoff": [1], "name": "x"}}]}}'),
        "line 3, column 14, at root.max[1].payoff: expected 2 payoffs, found 1",
    ),
    "unequal-payoffs-first": (
        '{"root": {"max": [{"payoff": [1]}, {"payoff": [1, 2]}]}, "worlds": 1}',
        "line 1, column 47, at root.max[1].payoff: expected 1 payoffs, found 2",
    ),
    "nan": (payoff("[1, NaN]"), "line 1, column 38, at root.payoff[1]: expected a finite number, found 'NaN'"),
    "infinity": (payoff("[Infinity, 1]"), "column 35, at root.payoff[0]: expected a finite number, found 'Infinity'"),
    "minus-infinity": (payoff("[-Infinity, 1]"), "at root.payoff[0]: expected a finite number, found '-Infinity'"),
    "1e999": (
        whole(f'{{"max": [{LEAF}, {{"max": [{LEAF}, {{"payoff": [0, -1e999]}}]}}]}}'),
        "line 1, column 96, at root.max[1].max[1].payoff[1]: expected a finite number, found '-1e999'",
    ),
    "400-digits": (payoff("[1" + 399 * "0" + ", 0]"), "at root.payoff[0]: expected a finite number, found '1000"),
    "5000-digits": (payoff("[0, -" + 5000 * "9" + "]"), "at root.payoff[1]: expected a finite number, found '-999"),
    "54-bits": (
        payoff("[0, 9007199254740993]"),
        "at root.payoff[1]: expected a whole number that fits into 53 bits, found '9007199254740993'",
    ),
    "true": (payoff("[true, 0]"), "line 1, column 35, at root.payoff[0]: expected a number or null, found 'true'"),
    "string-as-payoff": (payoff('[1, "0"]'), "at root.payoff[1]: expected a number or null, found '\"0\"'"),
    "list-as-payoff": (
        payoff("[1, [0]]"),
        "line 1, column 38, at root.payoff[1]: expected a number or null, found '['",
    ),
    "object-as-payoff": (payoff("[{}, 0]"), "at root.payoff[0]: expected a number or null, found '{'"),
    "comma-after-payoff": (
        payoff("[1, ]"),
        "line 1, column 38, at root.payoff[1]: expected a number or null, found ']'",
    ),
    "two-commas": (payoff("[1,, 0]"), "line 1, column 37, at root.payoff[1]: expected a number or null, found ','"),
    "no-comma-in-payoff": (payoff("[1 0]"), 'line 1, column 37, at root.payoff: expected "," or "]", found \'0\''),
    "plus": (payoff("[+1, 0]"), "line 1, column 35, at root.payoff[0]: expected a number or null, found '+1'"),
    "leading-zero": (payoff("[01, 0]"), 'line 1, column 36, at root.payoff: expected "," or "]", found \'1\''),
    "no-digit-after-point": (payoff("[1., 0]"), 'line 1, column 36, at root.payoff: expected "," or "]", found \'.\''),
    "no-digit-before-point": (payoff("[.5, 0]"), "at root.payoff[0]: expected a number or null, found '.5'"),
    "no-exponent": (payoff("[1e, 0]"), 'line 1, column 36, at root.payoff: expected "," or "]", found \'e\''),
    "half-a-null": (payoff("[nul, 0]"), "at root.payoff[0]: expected a number or null, found 'nul'"),
    "foreign-digit": (payoff("[\u0661, 0]"), "at root.payoff[0]: expected a number or null, found '\u0661'"),
    "foreign-space": (payoff("\u00a0[1, 0]"), "at root.payoff: expected a list of payoffs, found '\\xa0'"),
    "first-fault-counts": (
        whole(f'{{"max": [{LEAF}, {{"payoff": [1, 1e999]}}, {{"payoff": [1]}}, {{"payoff": [tru'),
        "line 1, column 67, at root.max[1].payoff[1]: expected a finite number, found '1e999'",
    ),
    # worlds in which moves are open
    "world-without-payoff": (
        whole('{"min": [{"payoff": [1, null]}, {"payoff": [0, null]}]}'),
        "line 1, column 23, at root: expected a payoff in every world somewhere, found none in w2",
    ),
    "named-world-without-payoff": (
        whole('{"payoff": [null, 1]}', '"worlds": 2, "world_names": ["queen", "jack"]'),
        "at root: expected a payoff in every world somewhere, found none in 'queen'",
    ),
    "many-worlds-without-payoff": (
        whole('{"payoff": [1' + 19 * ", null" + "]}", '"worlds": 20'),
        "found none in w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, and 9 more",
    ),
    "max-open-in-some-worlds": (
        whole(f'{{"min": [{LEAF},\n {{"min": [{{"max": [{LEAF}, {LEAF}, {{"payoff": [0, null]}}]}}]}}]}}'),
        f"line 2, column 11, at root.min[1].min[0]: {SAME_WORLDS}; found move 0 and move 2 to differ in w2",
    ),
    "max-in-max-open-in-some-worlds": (
        whole('{"min": [{"max": [{"max": [{"max": [{"payoff": [0, null]}]}, {"payoff": [null, 1]}]}]}]}'),
        f"line 1, column 41, at root.min[0].max[0]: {SAME_WORLDS}; found move 0 and move 1 to differ in w1, w2",
    ),
    # depth without end
    "braces": (DEEP * "{", f"line 1, column 2: expected {TOP_KEYS}, found '{{'"),
    "brackets": (DEEP * "[", f"line 1, column 1: {A_TREE}, found '['"),
    "brackets-as-title": ('{"title": ' + DEEP * "[", "line 1, column 11, at title: expected a string, found '['"),
    "brackets-as-payoff": (payoff(DEEP * "["), "line 1, column 35, at root.payoff[0]: expected a number or null"),
    "brackets-as-names": ('{"world_names": ' + DEEP * "[", "at world_names[0]: expected a string, found '['"),
    "unclosed-nodes": (
        '{"root": ' + DEEP * '{"max": [',
        "line 1, column 900010, at root.(99990 steps)" + 10 * ".max[0]" + f": {A_NODE}, found the end of the text",
    ),
    "unclosed-named-nodes": (
        '{"root": ' + DEEP * '{"name": "a", "min": [',
        "at root.(99990 steps)" + 10 * ".min[0]" + f": {A_NODE}, found the end of the text",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_bad_text(text, message):
    with pytest.raises(TreeError) as error:
        read_tree(text)
    assert message in str(error.value)
    assert str(error.value).startswith("line ")
    assert len(str(error.value)) < 400


BAD_BYTES = {
    "garbage": (bytes(range(128, 256)), "line 1, column 1: expected UTF-8 text, found the byte 0x80"),
    "not-utf-8": (b'{"worlds":\n "\xff"}', "line 2, column 3: expected UTF-8 text, found the byte 0xff"),
    "cut-character": ('{"title": "é'.encode()[:-1], "line 1, column 12: expected UTF-8 text, found the byte 0xc3"),
    "bad-after-bom": (
        b'\xef\xbb\xbf{\n"worlds": \xff',
        "line 2, column 11: expected UTF-8 text, found the byte 0xff",
    ),
    "surrogate": (b'{"title": "\xed\xa0\x80"}', "line 1, column 12: expected UTF-8 text, found the byte 0xed"),
    "zeros": (bytes(100), f"line 1, column 1: {A_TREE}, found '\\x00'"),
    "nothing": (b"", f"line 1, column 1: {A_TREE}, found the end of the text"),
    "cut-utf-16": (whole(LEAF).encode("utf-16-le")[:-1], "expected UTF-16-LE text, found the byte 0x7d"),
}


@pytest.mark.parametrize(("content", "message"), BAD_BYTES.values(), ids=BAD_BYTES)
def test_bad_bytes(content, message):
    with pytest.raises(TreeError) as error:
        read_tree(BytesIO(content))
    assert message in str(error.value)


BAD_DICTS = {
    "not-a-dict": (None, "expected a tree of dicts, lists, strings and numbers, found one with argument of type"),
    "list": ([], 'root: expected a node, {"max": ...}, {"min": ...} or {"payoff": ...}, found \'[\''),
    "set": ({"payoff": {1}}, "found one with Object of type set is not JSON serializable"),
    "nan": ({"max": [{"payoff": [1, float("nan")]}]}, "root.max[0].payoff[1]: expected a finite number, found 'NaN'"),
    "unequal": ({"max": [{"payoff": [1]}, {"payoff": []}]}, "root.max[1].payoff: expected 1 payoffs, found 0"),
    "worlds": ({"worlds": 3, "root": {"payoff": [1]}}, "root.payoff: expected 3 payoffs, found 1"),
    "uneven": ({"max": [{"payoff": [1]}, {"payoff": [None]}]}, "root: expected MAX's moves to be open in the same"),
    "no-keys": ({}, 'root: expected one of the keys "max", "min", "payoff", found none'),
}


@pytest.mark.parametrize(("tree", "message"), BAD_DICTS.values(), ids=BAD_DICTS)
def test_bad_dict(tree, message):
    with pytest.raises(TreeError) as error:
        tree_from_dict(tree)
    assert message in str(error.value)
    assert "line" not in str(error.value)  # there is none that the user has seen


def test_circular_and_bottomless_dicts_are_refused():
    circle = {"max": []}
    circle["max"].append(circle)
    bottomless = {"payoff": [1]}
    for _ in range(DEEP):
        bottomless = {"max": [bottomless]}
    for tree in (circle, bottomless):
        with pytest.raises(TreeError, match="expected a tree of dicts"):
            tree_from_dict(tree)
    while "max" in bottomless:  # taken apart by hand: Python would recurse
        (bottomless,) = bottomless.pop("max")


def test_every_prefix_is_refused():
    assert read_tree(SAMPLE)
    for length in range(len(SAMPLE.rstrip())):
        with pytest.raises(TreeError, match="line"):
            read_tree(SAMPLE[:length])


# ---------------------------------------------------------------------- what is right

GOOD_NUMBERS = {
    "whole": ("[1, -20]", [1, -20]),
    "point": ("[1.5, -0.25]", [1.5, -0.25]),
    "exponents": ("[1e2, -2.5E-1]", [100, -0.25]),
    "plus-in-exponent": ("[1E+0, 0e+999999999]", [1, 0]),
    "minus-zero": ("[-0, -0.0]", [0, 0]),
    "53-bits": ("[9007199254740992, -9007199254740991]", [2**53, 1 - 2**53]),
    "fits-into-53-bits": ("[36028797018963968, 9007199254740994]", [2**55, 2**53 + 2]),
    "large": ("[1e308, -1.7976931348623157e308]", [1e308, -sys.float_info.max]),
    "underflow": ("[1e-999, 5e-324]", [0, 5e-324]),
    "many-digits": (f"[0.{5000 * '3'}, {5000 * '1'}e-4999]", [1 / 3, 10 / 9]),
}


@pytest.mark.parametrize(("numbers", "payoffs"), GOOD_NUMBERS.values(), ids=GOOD_NUMBERS)
def test_numbers(numbers, payoffs):
    for text in (payoff(numbers), whole(f'{{"name": "x", "payoff": {numbers}}}')):
        assert list(read_tree(text).payoffs(0)) == payoffs


def test_every_part_is_read():
    tree = read_tree(SAMPLE)
    assert tree.title == 'a ♠ "finesse"'
    assert tree.world_names == ("🂡", "", "w")
    assert tree.weights == (0.5, 0.3, 2)
    assert tree.kind.tolist() == [MAX, 0, MIN, 0, 0]
    assert tree.end.tolist() == [5, 2, 5, 4, 5]
    assert [tree.payoffs(node) for node in (1, 3, 4)] == [(1, 0, -2.5), (1, None, 0), (None, 100, None)]
    assert tree.names == {2: "m", 3: "x", 4: "y"}
    assert tree.move_names == {0: ("left", "right"), 2: ("a", "b")}


def test_order_of_keys_and_space_do_not_matter():
    plain = read_tree(
        '{"worlds": 1, "root": {"max": [{"payoff": [1]}, {"payoff": [2]}], "name": "a", "moves": ["x", "y"]}}'
    )
    spread = """\t{"root" :{ "moves":["x" , "y"],"max"
        :\r\n[ {"payoff":[ 1 ] } ,{"payoff" : [2]}
        ] ,"name":"a"} , "worlds":1 }\n"""
    assert read_tree(spread) == plain
    assert read_tree(spread.replace("max", "m\\u0061x").replace("payoff", "p\\u0061yoff")) == plain


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_files_of_bytes(encoding):
    assert read_tree(BytesIO(SAMPLE.replace("\n", "\r\n").encode(encoding))) == read_tree(SAMPLE)


def test_files_of_text(tmp_path):
    (tmp_path / "tree.json").write_text(SAMPLE, "utf-8")
    with (tmp_path / "tree.json").open(encoding="utf-8") as file:
        assert read_tree(file) == read_tree(StringIO(SAMPLE)) == read_tree(SAMPLE)
    (tmp_path / "tree.json").write_bytes(b'{"title": "\xff"}')
    with (tmp_path / "tree.json").open(encoding="utf-8") as file, pytest.raises(TreeError, match="0xff in position 11"):
        read_tree(file)


def test_a_pipe_hands_out_pieces():
    class Pipe:
        def __init__(self, content):
            self.pieces = [content[start : start + 7] for start in range(0, len(content), 7)]

        def read(self, _):
            return self.pieces.pop(0) if self.pieces else b""

    assert read_tree(Pipe(SAMPLE.encode())) == read_tree(SAMPLE)


def test_lone_surrogates_in_names_survive():
    tree = read_tree(whole('{"payoff": [1, 0], "name": "\\ud800"}'))
    assert tree.names == {0: "\ud800"}
    assert read_tree(write_tree(tree)) == tree


# ---------------------------------------------------------------------- beside json.loads


def reference(text):
    """What ``json.loads`` makes of a text, checked rule by rule; None if it breaks one."""
    try:
        found = json.loads(text, object_pairs_hook=once_each)
        require(isinstance(found, dict) and {"worlds", "root"} <= found.keys())
        require(found.keys() <= {"worlds", "root", "probabilities", "world_names", "title"})
        worlds = found["worlds"]
        require(type(worlds) is int and worlds > 0)
        weights = found.get("probabilities", [1] * min(worlds, len(text)))
        require(isinstance(weights, list) and len(weights) == worlds and all(map(is_finite, weights)))
        require(min(weights) >= 0 and max(weights) > 0)
        world_names = names(found["world_names"], worlds) if "world_names" in found else None
        require(isinstance(found.get("title", ""), str))
        builder = TreeBuilder()
        require(add_node(builder, found["root"], worlds) == set(range(worlds)))
        return builder.tree(weights, world_names=world_names, title=found.get("title"))
    except (ValueError, RecursionError):
        return None


def add_node(builder, node, worlds):
    """Add a node; the worlds it is open in."""
    require(isinstance(node, dict) and node.keys() <= {"max", "min", "payoff", "name", "moves"})
    (key,) = node.keys() & {"max", "min", "payoff"}
    number = builder.open(None if key == "payoff" else Side(key))
    below = node[key]
    require(isinstance(below, list) and below)
    if key == "payoff":
        require(len(below) == worlds and all(value is None or is_finite(value) for value in below))
        require(all(value is None or float(value) == value for value in below))
        builder.fill(float("nan") if value is None else value for value in below)
        is_open = {world for world, value in enumerate(below) if value is not None}
    else:
        opened = [add_node(builder, child, worlds) for child in below]
        require(key == "min" or all(worlds == opened[0] for worlds in opened))
        is_open = set().union(*opened)
    if "name" in node:
        require(isinstance(node["name"], str))
        builder.names[number] = node["name"]
    if "moves" in node:
        builder.move_names[number] = names(node["moves"], 0 if key == "payoff" else len(below))
    builder.close()
    return is_open


def once_each(pairs):
    require(len(dict(pairs)) == len(pairs))
    return dict(pairs)


def names(values, count):
    require(isinstance(values, list) and len(values) == count and all(isinstance(value, str) for value in values))
    return tuple(values)


def is_finite(value):
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def require(rule):
    if not rule:
        raise ValueError


def read(source):
    """The tree, or None if it is refused; nothing else may happen."""
    try:
        return read_tree(source)
    except TreeError as error:
        require("expected" in str(error) and "found" in str(error))
        return None


ANY_PAYOFF = st.one_of(
    st.sampled_from(INTEGERS),
    REALS,
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0),
)
ANY_TREE = world_trees(payoffs=ANY_PAYOFF, named=True)
JSON_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=3),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["max", "payoff", "x"]), below, max_size=2)
    ),
    max_leaves=5,
)
SNIPPETS = [
    *'{}[]:,"\\ \n\r\t01-+.eE\0\x7fé',
    *('"max"', '"min"', '"payoff"', '"name"', '"moves"', '"worlds"', '"root"', '"title"', '"probabilities"'),
    *("null", "true", "NaN", "-Infinity", "1e999", "-0", "0.5", "9007199254740993", "\ufeff", "\ud800", "\u00a0"),
    *('{"payoff": [1]}', '"moves": ["a"],', ', "name": "b"', "]}", '{"max": [', "[]", "{}", "null, ", "//", "\\u0061"),
]


def spelled(value, rng):
    """A value as JSON, in one of its many spellings."""
    if isinstance(value, dict):
        pairs = [f"{spelled(key, rng)}{space(rng)}:{spelled(value[key], rng)}" for key in value]
        rng.shuffle(pairs)
        text = "{" + (space(rng) + ",").join(pairs) + space(rng) + "}"
    elif isinstance(value, list):
        text = "[" + (space(rng) + ",").join(spelled(item, rng) for item in value) + space(rng) + "]"
    elif isinstance(value, str) and rng.random() < 0.2:
        text = '"' + "".join(f"\\u{ord(letter):04x}" if letter <= "\uffff" else letter for letter in value) + '"'
    elif type(value) is int and rng.random() < 0.3:
        text = rng.choice([f"{value}.0", f"{value}e0", f"{10 * value}E-1", f"{value}.00e+00"])
    else:
        text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    return space(rng) + text


def space(rng):
    return rng.choice(["", "", "", " ", "\n", "\t\r\n "])


def as_json(tree):
    return json.loads(write_tree(tree))


def places(value):
    """Every list and dict inside a value, and each of their indices or keys."""
    ahead, found = [value], []
    while ahead:
        inside = ahead.pop()
        indices = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        found += [(inside, index) for index in indices]
        ahead += [inside[index] for index in indices if isinstance(inside[index], (dict, list))]
    return found


@given(ANY_TREE, st.randoms())
def test_every_spelling_is_read_as_json_loads_reads_it(tree, rng):
    document = as_json(tree)
    worlds = document.pop("worlds")
    text = spelled(document, rng).rstrip()
    text = rng.choice([f'{{"worlds":{worlds},{text[text.index("{") + 1 :]}', f'{text[:-1]},"worlds":{worlds}}}'])
    assert read(text) == reference(text)
    assert read(text) == tree


@given(ANY_TREE, JSON_VALUE, st.randoms())
def test_one_changed_value_is_judged_as_the_rules_say(tree, value, rng):
    document = as_json(tree)
    inside, index = rng.choice(places(document))
    if rng.random() < 0.2:
        del inside[index]
    else:
        inside[index] = value
    text = json.dumps(document)
    assert read(text) == reference(text)


@given(ANY_TREE, st.randoms(), st.integers(1, 3))
def test_scribbled_texts_are_judged_as_json_loads_judges_them(tree, rng, times):
    text = write_tree(tree)
    for _ in range(times):
        start = rng.randrange(len(text) + 1)
        end = start + rng.choice([0, 0, 1, 1, rng.randrange(10)])
        text = text[:start] + rng.choice([*SNIPPETS, "", text[start : start + 20]]) + text[end:]
    assert read(text) == reference(text)


@given(st.lists(st.sampled_from(SNIPPETS)).map("".join))
def test_any_snippets_give_a_tree_or_a_complaint(text):
    assert read(text) == reference(text)
    inside = f'{{"worlds": 1, "root": {text}}}'
    assert read(inside) == reference(inside)


@given(st.text() | st.text(alphabet=st.characters()))
def test_any_text_gives_a_tree_or_a_complaint(text):
    assert read(text) == reference(text)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_tree_or_a_complaint(content):
    assert read(BytesIO(content)) is None


@given(ANY_TREE, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.randoms())
def test_damaged_files_give_a_tree_or_a_complaint(tree, encoding, rng):
    content = bytearray(write_tree(tree).encode(encoding))
    content[rng.randrange(len(content))] = rng.randrange(256)
    found = read(BytesIO(content))
    assert found is None or check_world_game(found).complete


# ---------------------------------------------------------------------- writing


@given(ANY_TREE)
def test_what_is_written_is_read_back(tree):
    again = read_tree(write_tree(tree))
    assert again == tree
    assert hash(again) == hash(tree)
    assert write_tree(again) == write_tree(tree) or any(isinstance(weight, Fraction) for weight in tree.weights)


@given(ANY_TREE)
def test_json_reads_what_is_written(tree):
    assert reference(write_tree(tree)) == tree


@pytest.mark.parametrize(
    "weights",
    [(2, 2), (0.5, 0.5), (0, 1), (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 10**7 + 19), 0.5), (1e-300, 10**300)],
    ids=str,
)
def test_weights_survive(weights):
    tree = WorldTree(np.zeros(1, np.uint8), np.ones(1, np.int32), np.zeros((1, 2)), weights)
    assert read_tree(write_tree(tree)) == tree


def test_numbers_are_written_short():
    tree = tree_from_dict({"payoff": [1.0, -0.0, 0.1, 1e300, 2**53, -(2**53) + 1, 1e-7]})
    assert '"payoff": [1, 0, 0.1, 1e+300, 9007199254740992.0, -9007199254740991, 1e-07]' in write_tree(tree)


def test_writing_goes_piece_by_piece():
    tree = tree_from_dict({"max": [{"payoff": [1]}, {"min": [{"payoff": [2]}], "name": "a"}]})
    assert list(tree_parts(tree)) == [
        '{"worlds": 1, "root": ',
        '{"max": [',
        '{"payoff": [1]}',
        ", ",
        '{"min": [',
        '{"payoff": [2]}',
        '], "name": "a"}',
        "]}",
        "}",
    ]


# ---------------------------------------------------------------------- size

DEEP_TREES = {
    "plain": ('{"max": [', "]}", 1),
    "alternating": ('{"max": [{"min": [', "]}]}", 2),
    "name-first": ('{"name": "a", "max": [', "]}", 1),
    "name-last": ('{"min": [', '], "name": "a"}', 1),
    "second-child": ('{"max": [{"payoff": [0]}, ', "]}", 1),
}


@pytest.mark.parametrize(("begin", "end", "levels"), DEEP_TREES.values(), ids=DEEP_TREES)
def test_depth(begin, end, levels):
    text = f'{{"worlds": 1, "root": {DEEP * begin}{{"payoff": [7]}}{DEEP * end}}}'
    with quickly():
        tree = read_tree(text)
    assert tree.depth == DEEP * levels
    assert read_tree(write_tree(tree)) == tree


HOSTILE = {  # each would take minutes if anything were looked at again and again
    "closed-too-often": '{"root": ' + DEEP * '{"max": [' + '{"payoff": [1]}' + 3 * DEEP * "]}",
    "space": '{"root":' + 10**6 * " " + '{"max":' + 10**6 * "\n" + "[" + 10**6 * "\t" + "x",
    "bad-leaf-at-the-end": '{"root": {"max": [' + DEEP * '{"payoff": [1]}, ' + '{"payoff": [1e999]}]}, "worlds": 1}',
    "bad-leaf-at-the-start": '{"root": {"max": [{"payoff": [-]}, ' + DEEP * '{"payoff": [1]}, ' + "]}}",
    "long-leaf": '{"root": {"max": [' + '{"payoff": [' + 10**6 * "1, " + "1]} x",
    "long-string": '{"title": "' + 10**6 * "\\u0061" + "\n",
    "long-number": payoff(f"[{10**6 * '9'}, 1]"),
    "long-fraction": payoff(f"[{10**6 * '9'}.{10**6 * '9'}e-{10**5 * '9'}, 1 1]"),
    "deep-max-open-in-some-worlds": whole(DEEP * '{"max": [' + '{"payoff": [1, null]}' + DEEP * "]}"),
    "wide-max-open-in-some-worlds": whole('{"max": [' + DEEP * f"{LEAF}, " + '{"payoff": [null, 1]}]}'),
    "wide-and-wrong-moves": whole('{"max": [' + DEEP * f"{LEAF}, " + LEAF + '], "moves": []}'),
    "many-worlds-without-payoff": '{"root": {"payoff": [1' + 10**6 * ", null" + ']}, "worlds": 1000001}',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused_quickly(text):
    with quickly(), pytest.raises(TreeError) as error:
        read_tree(text)
    assert len(str(error.value)) < 400


@contextmanager
def quickly():
    """Seconds of work, far more than is needed; not of waiting, so that a busy machine does not matter."""
    started = time.process_time()
    yield
    assert time.process_time() - started < 10


def test_wide_trees_are_read_quickly():
    """Nodes that need a second look each: large numbers, names, moves."""
    large = DEEP * '{"payoff": [36028797018963968, 1]}, '
    named = DEEP * '{"name": "a", "max": [{"payoff": [1, 2], "name": "b"}], "moves": ["c"]}, '
    with quickly():
        tree = read_tree(whole(f'{{"max": [{large}{named}{LEAF}]}}'))
    assert len(tree) == 2 + 3 * DEEP
    assert tree.payoffs(1) == (2**55, 1)


def test_size_limit(monkeypatch):
    text = whole(LEAF)
    sources = [lambda: text, lambda: StringIO(text), lambda: BytesIO(text.encode())]
    monkeypatch.setattr(notation, "MOST_CHARACTERS", len(text))
    assert all(read_tree(source()) == read_tree(text) for source in sources)
    monkeypatch.setattr(notation, "MOST_CHARACTERS", len(text) - 1)
    for source in sources:
        with pytest.raises(TreeError, match="expected at most 40 characters, found more"):
            read_tree(source())


def test_files_over_the_limit_are_not_read_to_the_end(tmp_path):
    path = tmp_path / "large.json"
    path.touch()
    os.truncate(path, 2**33)
    with path.open("rb") as file, pytest.raises(TreeError, match="expected at most 268435456 characters, found more"):
        read_tree(file)


def write_a_million_leaves(path):
    """Ten worlds, ten moves at every node, MIN last."""
    rows = [f'{{"payoff": [{", ".join(format(row, "010b"))}]}}' for row in range(1024)]
    nodes = Random(1).choices(rows, k=10**6)
    for side in ("min", "max") * 3:
        nodes = [f'{{"{side}": [{", ".join(nodes[first : first + 10])}]}}' for first in range(0, len(nodes), 10)]
    path.write_text(whole(nodes[0], '"worlds": 10'))


SOLVE_IT = """
import sys, time, worldwise

with open(sys.argv[1], "rb") as file:
    tree = worldwise.read_tree(file)
seconds = time.process_time()
values = [worldwise.solve(tree, algorithm).value for algorithm in ("vector-mm", "exact")]
with open("/proc/self/status") as status:  # getrusage would count this process's parent in
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(tree.leaves, tree.depth, seconds, *values, peak)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_a_million_leaves(tmp_path):
    write_a_million_leaves(tmp_path / "million.json")
    command = [sys.executable, "-c", SOLVE_IT, str(tmp_path / "million.json")]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    leaves, depth, seconds, heuristic, exact, peak = map(float, printed.split())
    assert (leaves, depth) == (10**6, 6)
    assert 0 <= heuristic <= exact <= 1
    assert seconds < 15
    assert peak < 2**20  # kibibytes


# ---------------------------------------------------------------------- trees


@given(world_trees())
def test_shape(tree):
    assert tree.parent[0] == -1
    for node in range(len(tree)):
        for move in tree.moves(node):
            assert tree.parent[tree.play(node, move)] == node
    above = [0]
    for node in range(1, len(tree)):
        above.append(above[tree.parent[node]] + 1)
    assert tree.depth == max(above)


@given(world_trees(most_depth=6))
def test_places(tree):
    def walk(node, place):
        assert tree.place(node) == place
        for move in tree.moves(node):
            walk(tree.play(node, move), f"{place}.{tree.to_move(node).value}[{move}]")

    walk(0, "root")


@given(world_trees(most_strategies=50, most_depth=5))
def test_random_trees_have_few_strategies(tree):
    assert strategy_count(tree) <= 50


def test_trees_refuse_bad_weights():
    arrays = np.zeros(1, np.uint8), np.ones(1, np.int32), np.zeros((1, 2))
    for weights, message in {
        (1,): "probabilities: expected 2 probabilities, found 1",
        (0, 0): "probabilities: expected at least one probability above zero, found none",
        (1, -1): r"probabilities\[1\]: expected a finite number that is not negative, found -1",
        (float("nan"), 1): r"probabilities\[0\]: expected a finite number that is not negative, found nan",
        (10**400, 1): r"probabilities\[0\]: expected a finite number that is not negative, found 1000",
    }.items():
        with pytest.raises(TreeError, match=message):
            WorldTree(*arrays, weights)
