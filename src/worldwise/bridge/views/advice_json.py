"""Advice for programs: plain dictionaries with keys that stay.

=====================  ================================================================================
``seat``               who is advised, ``N`` to ``W``
``to_play``            whose card is next: declarer's dummy's, perhaps
``contract``           as ``worldwise.bridge.views.deal_json`` writes it
``aim``                ``make``, ``tricks``, ``score``, ``imps`` or ``matchpoints``
``algorithm``          by its name
``best``               the card to play, ``SA``
``choices``            best first; ``cards`` that are equal, ``probability`` of making or beating the contract, what
                       ``kind`` of figure that is (``final``; ``depth``: exact so many cards ahead, never too
                       little; ``bound``: no more than this), the ``depth`` this choice was searched to, the 95 %
                       ``interval``, the same as ``pimc`` sees it, ``tricks`` and ``score`` on average with all
                       cards seen, the worlds it ``loses``; and its ``worth``, which orders the choices
``worth``              of a choice, towards the aim: a ``value`` (the chance, or tricks or points), its ``kind`` and
                       ``depth``, and its ``front``: outcomes, world by world, that one plan can have. With
                       another aim than ``make`` the ``probability`` is that with all cards seen
``beside``             of a choice, what its score is worth beside other tables, in IMPs or as a share of the
                       matchpoints; null without any
``close``              cards that a sample like this cannot tell from the best
``trial``              the best card on ``layouts`` that had no part in choosing it: ``most`` it can have, ``least``
                       it had when it was played out, each with its 95 % interval, on how many layouts it was
                       ``played_out`` and how many of these it ``made``; null if not tried
``depth``              how many cards of his own alpha-mu looked ahead
``plan``               how declarer plays on: ``after`` these cards, which follow the best one, if the defender ``by``
                       (null if declarer plays at once) plays one of ``when``, he answers with ``play``, ``from`` a
                       hand; an empty list if there is none
``worlds``             the layouts looked at, as dealt: hands by seat, numbered from 0
``weights``            what each of them counts; ``effective`` is how many that count alike would tell as much
``layouts``            how many layouts there are in all
``exact``              whether the worlds are all of them
``complete``           whether a limit did not cut the search short
``auction``            what the calls of the hidden hands say, as ``worldwise.bridge.views.auction_words`` writes it;
                       null if no auction was heard
``technique``          what the best card is, as ``worldwise.bridge.advice.review_rows`` writes it; null without a name
``why``                the sentences of the text
``seed``, ``seconds``  what the sample was drawn by, and how long it took
=====================  ================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.advice.review_rows import technique_json
from worldwise.bridge.rules.deal import card_name
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.auction_words import belief_json
from worldwise.bridge.views.deal_json import contract_json, deal_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.plan import PlanPlace
    from worldwise.bridge.advice.record import Advice, CardChoice, Trial
    from worldwise.bridge.solvers.alphamu import CardValue


def advice_json(advice: Advice) -> dict[str, Any]:
    """All of it.

    >>> from worldwise.catalog import deal
    >>> from worldwise.bridge.advice.advise import advise
    >>> found = advice_json(advise(deal("deals/two-way-guess").view))
    >>> found["best"], found["exact"], found["choices"][0]["cards"], round(found["choices"][0]["probability"], 3)
    ('S3', True, ['S3'], 0.677)
    """
    return {
        "seat": advice.view.seat.letter,
        "to_play": advice.view.to_move.letter,
        "contract": contract_json(advice.view.contract),
        "aim": advice.others.unit if advice.others else advice.aim.value,
        "algorithm": advice.algorithm,
        "depth": advice.depth,
        "best": card_name(advice.card),
        "choices": list(map(choice_json, advice.choices)),
        "close": [card_name(choice.card) for choice in advice.close],
        "trial": None if advice.trial is None else trial_json(advice.trial),
        "plan": [reply for place in advice.plan for reply in replies_json(place)],
        "worlds": list(map(deal_json, advice.worlds)),
        "weights": list(advice.weights),
        "effective": advice.effective,
        "layouts": advice.layouts,
        "exact": advice.exact,
        "complete": advice.complete,
        "auction": belief_json(advice.belief),
        "technique": None if advice.reasons.technique is None else technique_json(advice.reasons.technique),
        "why": list(why_words(advice, ascii=True)),
        "seed": advice.seed,
        "seconds": advice.seconds,
    }


def choice_json(choice: CardChoice) -> dict[str, Any]:
    """One choice."""
    return {
        "cards": list(map(card_name, choice.cards)),
        "probability": choice.chance,
        "kind": choice.kind.value,
        "depth": choice.depth,
        "pimc": choice.pimc,
        "interval": list(choice.interval),
        "tricks": choice.tricks,
        "score": choice.score,
        "loses": list(choice.loses),
        "worth": worth_json(choice.worth),
        "beside": choice.beside,
    }


def worth_json(worth: CardValue) -> dict[str, Any]:
    """What was found of a choice towards the aim."""
    return {
        "value": worth.value,
        "kind": worth.kind.value,
        "depth": worth.depth,
        "front": list(map(list, worth.front)),
    }


def trial_json(trial: Trial) -> dict[str, Any]:
    """How the best card fared on fresh layouts."""
    least = trial.least
    return {
        "layouts": trial.layouts,
        "most": trial.most.value,
        "most_interval": [trial.most.low, trial.most.high],
        "least": None if least is None else least.value,
        "least_interval": None if least is None else [least.low, least.high],
        "played_out": trial.played,
        "made": trial.made,
    }


def replies_json(place: PlanPlace) -> Iterator[dict[str, Any]]:
    """One place of the plan, an entry for every reply."""
    for reply in place.replies:
        yield {
            "after": list(map(card_name, place.after)),
            "by": None if place.by is None else place.by.letter,
            "when": list(map(card_name, reply.when)),
            "play": card_name(reply.play),
            "from": reply.seat.letter,
        }
