"""How soon declarer's desk says something about a whole deal, and that what it says gets better.

Seconds on the clock, from the request to the first figures, as a client of the application sees them: the process that
searches, the queue and the events are in it. The machine should have nothing else to do.
"""

import asyncio
import json
from random import Random
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

from web_client import opened, visit
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import card_name
from worldwise.web.app import create_app
from worldwise.web.pages.desk import DESK

CONTRACTS = ("3NT by S", "4S by S", "6NT by S", "1NT by S", "5D by S")
DEALS = 6
LOOKED_AT = 3
PROMISED = 1.0
"""Seconds until the first figures, for nine deals of ten."""


def leads():
    """Deals of thirteen cards with the opening lead made: the largest search there is."""
    for number in range(DEALS):
        for text in CONTRACTS:
            contract = Contract.read(text)
            board = Board(deal_for(contract, Random(number)), contract=contract)
            lead = advise(board.view(contract.leader), worlds=2, algorithm="pimc").card
            yield {"deal": f"random {number}", "contract": text, "cards": card_name(lead)}


async def stepped(app, state):
    """The seconds until the first figures and until the third answer, and these answers; then the client leaves."""
    start, times, steps = perf_counter(), [], []
    asked = visit(app, f"/api/desk/advice?{urlencode(state)}", headers={"accept": "text/event-stream"})
    while len(steps) < LOOKED_AT and not asked.task.done():
        await asyncio.sleep(0.002)
        told = asked.body.split(b"\n\n")[:-1]
        for event in told[len(times) :]:
            times.append(perf_counter() - start)
            steps += [json.loads(event.partition(b"data: ")[2])] if event.startswith(b"event: step") else []
    await asked.leave()
    return times, steps


def test_first_figures_within_a_second_and_they_improve():
    async def measured():
        async with opened(create_app(pages=(DESK,))) as app:
            return [await stepped(app, state) for state in leads()]

    told = asyncio.run(measured())
    firsts, thirds = (sorted(times[place] for times, _ in told) for place in (0, -1))
    nine = len(told) * 9 // 10
    print(f"\n{len(told)} whole deals: first figures after {1000 * median(firsts):.0f} ms at the median, ", end="")
    print(f"90 % within {1000 * firsts[nine]:.0f} ms, all within {1000 * firsts[-1]:.0f} ms; ", end="")
    print(f"20 layouts two cards ahead after {median(thirds):.1f} s at the median, {thirds[-1]:.1f} s at the most")
    for _, (first, *_, last) in told:
        widths = [choice["interval"][1] - choice["interval"][0] for choice in (first["choices"][0], last["choices"][0])]
        assert widths[1] < widths[0]
        assert len(last["worlds"]) > len(first["worlds"])
    deeper = sum(steps[-1]["depth"] > steps[0]["depth"] for _, steps in told)
    assert deeper > len(told) / 2, "where there is a choice, and the effort is enough"
    assert firsts[nine] < PROMISED
