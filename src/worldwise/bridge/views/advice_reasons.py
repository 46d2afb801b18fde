"""Why the best card is the best, in a few sentences; what they say is found in ``bridge.advice.differences``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.advice.differences import Holds
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.views.advice_amounts import amount_words, beside_words, worth_words
from worldwise.bridge.views.deal_picture import card_sign
from worldwise.bridge.views.technique_words import technique_words
from worldwise.search.alphamu_root import ValueKind
from worldwise.views.words import number_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.differences import Difference, Sign
    from worldwise.bridge.advice.record import Advice, CardChoice, Trial
    from worldwise.bridge.solvers.alphamu import CardValue

MOST_NAMES = 2
"""If more cards than these are as good, and no card is worse, they are not named."""

SUIT_NAMES = ("spade", "heart", "diamond", "club")

_AS_SEEN = "As far as the search saw"
"""Before a sentence that a deeper search may contradict."""


def why_words(advice: Advice, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """What to play and what it promises, what tells it from the next best, and what the figures cannot say."""
    reasons = advice.reasons
    if advice.aims_elsewhere:
        yield from _why_on_average(advice, ascii=ascii)
        return
    yield f"Play the {card_sign(advice.card, ascii=ascii)}. {_promise(advice)}"
    if reasons.technique is not None:
        yield f"It is {technique_words(reasons.technique, ascii=ascii)}."
    if reasons.rival is not None and reasons.difference is not None:
        yield from _difference_words(advice, reasons.rival, reasons.difference, ascii=ascii)
    if reasons.equal is not None:
        yield _no_difference(advice, reasons.equal, ascii=ascii)
    if reasons.close:
        yield _too_close(advice, ascii=ascii)
    if reasons.too_hopeful is not None:
        yield _too_hopeful(advice, reasons.too_hopeful, ascii=ascii)


def _why_on_average(advice: Advice, *, ascii: bool) -> Iterator[str]:  # noqa: A002
    """The same where tricks or points count: averages stand in the place of layouts."""
    reasons, best = advice.reasons, advice.best
    yield f"Play the {card_sign(advice.card, ascii=ascii)}. {_average_words(advice)}"
    if reasons.technique is not None:
        yield f"It is {technique_words(reasons.technique, ascii=ascii)}."
    if reasons.rival is not None:
        worth = worth_words(advice.aim, reasons.rival.worth)
        yield f"Of the other cards the {card_sign(reasons.rival.card, ascii=ascii)} is the best, with {worth}."
    if reasons.equal is not None:
        yield f"The {card_sign(reasons.equal.card, ascii=ascii)} does as well on average."
    if reasons.close:
        yield _too_close(advice, ascii=ascii)
    if reasons.too_hopeful is not None:
        favourite = reasons.too_hopeful
        name = "it" if favourite is best else f"the {card_sign(favourite.card, ascii=ascii)}"
        hoped, most = (amount_words(advice.aim, value) for value in (advice.hoped(favourite), favourite.worth.value))
        yield (
            f"Sampling claims {hoped} for {name}, but it assumes that you guess right every time. "
            f"No single plan that begins so {_VERBS[advice.aim]} more than {most}{_over_these(advice)}."
        )


def _average_words(advice: Advice) -> str:
    """What the best choice has on average, and how far ahead that was searched."""
    worth, weighed = advice.best.worth, "" if len(set(advice.weights)) == 1 else ", weighed by how likely they are"
    over = "" if len(advice.worlds) == 1 else f" on average over {_looked_at_words(advice)}{weighed}"
    ahead = "" if worth.kind is ValueKind.FINAL else f", {_foresight_words(worth)}"
    return f"It {_VERBS[advice.aim]} {worth_words(advice.aim, worth)}{over}{ahead}."


_VERBS = {Aim.TRICKS: "takes", Aim.SCORE: "scores"}


def _over_these(advice: Advice) -> str:
    return "" if advice.exact else " over these layouts"


def _too_close(advice: Advice, *, ascii: bool) -> str:  # noqa: A002
    """What a sample like this cannot tell from the best, but for one that is known to do as well."""
    names = [f"the {card_sign(choice.card, ascii=ascii)}" for choice in advice.reasons.close]
    several = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    if len(names) > MOST_NAMES and len(names) == len(advice.choices) - 1:
        several = "any other card"
    return f"Too close to call on a sample of this size: {several} may be just as good."


def _too_hopeful(advice: Advice, favourite: CardChoice, *, ascii: bool) -> str:  # noqa: A002
    """What PIMC would have said, where a single plan cannot have it."""
    name = "it" if favourite is advice.best else f"the {card_sign(favourite.card, ascii=ascii)}"
    sampled = "" if advice.exact else " of these layouts"
    return (
        f"Sampling claims {100 * favourite.pimc:.1f} % for {name}, but it assumes that you guess right every time. "
        f"No single plan that begins so wins more than {100 * favourite.chance:.1f} %{sampled}."
    )


def _promise(advice: Advice) -> str:
    """What the best choice promises: as tried on fresh layouts, if it was, and otherwise over those looked at."""
    return f"{_beside_promise(advice)}{_success_words(advice)}"


def _beside_promise(advice: Advice) -> str:
    """What the best choice is worth beside other tables, if there are any."""
    if advice.others is None:
        return ""
    counted = "of the matchpoints" if advice.others.unit == "matchpoints" else "IMPs on average"
    worth = beside_words(advice.others, advice.best.beside)
    return f"It is worth {worth} {counted}, if everybody plays on as if all cards were seen. "


def _success_words(advice: Advice) -> str:
    best, verb = advice.best, "makes the contract" if advice.declares else "beats the contract"
    if advice.trial is not None:
        planned = advice.algorithm == "alphamu"
        return _trial_words(advice.trial) if planned else f"It {verb} {_face_up_words(advice.trial)}."
    looked_at = _looked_at_words(advice)
    if best.kind is not ValueKind.FINAL:
        return f"It {verb} in up to {100 * best.chance:.1f} % of {looked_at}, {_foresight_words(best)}."
    number = len(advice.worlds)
    won = number - len(best.loses)
    if number == 1:
        return f"It {verb}." if won else f"Nothing {verb}."
    if won in (0, number):
        every = looked_at.removeprefix("the ")
        return f"It {verb} in all {every}." if won else f"Nothing {verb} in any of {looked_at}."
    return f"It {verb} in {won} of {looked_at}{_weight_words(advice)}."


def _looked_at_words(advice: Advice) -> str:
    number = len(advice.worlds)
    layouts = "layout" if number == 1 else f"{number} layouts"
    return f"the {layouts}" if advice.exact else f"the {layouts.replace('layout', 'sampled layout')} it was chosen on"


def _foresight_words(best: CardChoice | CardValue) -> str:
    """How far ahead a figure was searched that is not final."""
    if best.depth == 1:
        return "as seen with all cards face up"
    return f"looking {number_word(best.depth)} cards ahead"


def _weight_words(advice: Advice) -> str:
    """The chance, where layouts are not all as likely and a count does not tell it."""
    if len(set(advice.weights)) == 1:
        return ""
    if not advice.exact:
        return f", {100 * advice.best.chance:.1f} % by weight"
    return f", a {100 * advice.best.chance:.1f} % chance given the cards the defenders have played"


def _trial_words(trial: Trial) -> str:
    """What was made and what can be had at most, on layouts that had no part in choosing the card."""
    least, played = trial.least, trial.played
    if least is None:
        return _most_words(trial, "fresh")
    made = {played: f"all {played}", 0: "none"}.get(trial.made, str(trial.made))
    interval = f"{100 * least.low:.0f}-{100 * least.high:.0f}"
    return (
        f"Played out on {played} fresh layouts against defenders who see every card, it made the contract in {made} "
        f"({100 * least.value:.0f} %, {interval}). {_most_words(trial, 'such')}"
    )


def _face_up_words(trial: Trial) -> str:
    """In how many of the fresh layouts, all cards seen."""
    most = trial.most
    share = f"up to {100 * most.value:.0f} % of {trial.layouts} fresh layouts"
    return f"in {share} ({100 * most.low:.0f}-{100 * most.high:.0f}), as seen with all cards face up"


def _most_words(trial: Trial, such: str) -> str:
    if trial.most.value == 1:
        return f"Over {trial.layouts} {such} layouts the search saw no way to beat it."
    return f"Over {trial.layouts} {such} layouts the search gives it at most {100 * trial.most.value:.0f} %."


def _no_difference(advice: Advice, other: CardChoice, *, ascii: bool) -> str:  # noqa: A002
    """The other card succeeds wherever the best one does."""
    more = advice.best.tricks - other.tricks
    name = card_sign(other.card, ascii=ascii)
    the = "The" if advice.best.kind is other.kind is ValueKind.FINAL else f"{_AS_SEEN}, the"
    if more > 0.005:
        return f"{the} {name} does so too, but takes {more:.2f} tricks fewer on average."
    return f"{the} {name} does as well in every layout."


def _difference_words(
    advice: Advice,
    rival: CardChoice,
    found: Difference,
    *,
    ascii: bool,  # noqa: A002
) -> Iterator[str]:
    """Two sentences: where the best card gains, and where the other would have been better."""
    best, second = (card_sign(choice.card, ascii=ascii) for choice in (advice.best, rival))
    number = len(advice.worlds)
    if found.gains:
        sign = _sign_words(found, advice, ascii=ascii)
        it = "It" if advice.to_the_end else f"{_AS_SEEN}, it"
        yield f"{it} wins where the {second} loses in {len(found.gains)} of {number} layouts{sign}."
    if found.losses:
        said = bool(found.gains) and not advice.to_the_end
        the = "The" if said or rival.kind is ValueKind.FINAL else f"{_AS_SEEN}, the"
        yield f"{the} {second} wins where the {best} loses in {len(found.losses)}."


def _sign_words(found: Difference, advice: Advice, *, ascii: bool) -> str:  # noqa: A002
    """What the layouts have in common, with the counts it rests on; nothing if they are too few to tell."""
    gains, rest = len(found.gains), len(advice.worlds) - len(found.gains)
    if found.sign is None:
        return "" if found.too_few else "; no one card or length tells which"
    inside = f"in all {gains} of these" if found.inside == gains else f"in {found.inside} of these"
    outside = f"in {found.outside or 'none'} of the other {rest}" if rest > 1 else "not in the other one"
    return f": {sign_words(found.sign, ascii=ascii)} {inside} and {outside}"


def sign_words(sign: Sign, *, ascii: bool = False) -> str:  # noqa: A002
    """A sign in words.

    >>> from worldwise.bridge.advice.differences import Holds, Left
    >>> from worldwise.bridge.rules.deal import Seat, read_card
    >>> sign_words(Holds(Seat.WEST, read_card("HQ")))
    'West holds the ♥Q'
    >>> sign_words(Left(Seat.EAST, 0, 2, 5, 0)), sign_words(Left(Seat.EAST, 3, 0, 0, 0))
    ('East has 2 to 5 spades left', 'East has no clubs left')
    """
    if isinstance(sign, Holds):
        return f"{sign.seat} holds the {card_sign(sign.card, ascii=ascii)}"
    return (
        f"{sign.seat} has {_number_words(sign.least, sign.most)} {SUIT_NAMES[sign.suit]}{'s' * (sign.most != 1)} left"
    )


def _number_words(least: int, most: int) -> str:
    if least == most:
        return str(least or "no")
    return f"{least} {'or' if most == least + 1 else 'to'} {most}"
