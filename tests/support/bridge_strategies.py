"""Random boards for property tests: auctions by the rules, plays by the rules, hands hidden, names with odd letters."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from worldwise.bridge.rules.auction import PASS, Auction
from worldwise.bridge.rules.board import Board, Tag
from worldwise.bridge.rules.contract import Contract, Strain, Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal, cards_in
from worldwise.bridge.rules.play import Play

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters='|,(){}[]"\\#%;?+&', exclude_categories=["C", "Z"])
).map(lambda text: " ".join(text.split()))
"""Names and explanations."""

SEEDS = st.integers(0, 2**32)


def some_auction(rng, dealer, most_bids=6):
    """A legal auction, over."""
    auction = Auction(dealer)
    for _ in range(rng.randint(0, 3 * most_bids)):
        legal = [call for call in auction.legal if call < 3 or call <= max(auction.calls, default=0) + 6]
        if auction.over:
            break
        auction = auction.then(rng.choice([PASS, *legal]), rng.choice([None, None, "", "natural", "15-17"]))
    return auction.all_pass()


def some_cards(rng, deal, contract, count):
    """So many cards of a play by the rules."""
    play = Play(deal, contract)
    for _ in range(count):
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    return play.cards


@st.composite
def boards(draw, *, hidden=True, tags=True, auctions=True):
    """A board with as much of a record as comes up."""
    rng = Random(draw(SEEDS))
    deal, dealer = Deal.random(rng), draw(st.sampled_from(SEATS))
    board = Board(
        deal,
        draw(st.one_of(st.none(), st.integers(1, 99))),
        dealer,
        draw(st.sampled_from(Vulnerability)),
        names=draw(st.tuples(WORDS, WORDS, WORDS, WORDS)),
        comment=draw(WORDS),
    )
    if tags:
        events = draw(st.lists(st.sampled_from(["Event", "Site", "Room", "Score"]), unique=True))
        board = replace(board, tags=tuple(Tag(name, draw(WORDS.filter(bool))) for name in events))
    board = _with_contract(draw, rng, board, auctions)
    hide = draw(st.sampled_from([(), (0, 2), (1, 3), (1, 2, 3)])) if hidden else ()
    hands = tuple(0 if seat in hide else deal[seat] for seat in SEATS)
    return replace(board, deal=Deal(hands))


def _with_contract(draw, rng, board, auctions):
    kind = draw(st.sampled_from(["auction", "contract", "open", "none"] if auctions else ["contract", "none"]))
    if kind == "none":
        return board
    if kind == "contract" and auctions:
        kind = "auction"
    if kind == "contract":
        contract = Contract(rng.randint(1, 7), rng.choice(list(Strain)), rng.choice(SEATS), rng.choice([0, 0, 1, 2]))
        board = replace(board, contract=contract)
    else:
        auction = some_auction(rng, board.dealer)
        if kind == "open":
            calls = auction.calls[: rng.randint(1, len(auction.calls) - 1)]
            alerts = tuple(alert for alert in auction.alerts if alert.place < len(calls))
            return replace(board, auction=Auction(board.dealer, calls, alerts))
        board = replace(board, auction=auction)
    if board.contract is None:
        return board
    count = draw(st.sampled_from([0, 1, 6, 22, 51, 52]))
    board = replace(board, cards=some_cards(rng, board.deal, board.contract, count))
    return replace(board, tricks=rng.randint(0, 13)) if count < 52 and rng.random() < 0.5 else board
