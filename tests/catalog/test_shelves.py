"""What is asked for by its name is read alone; nothing else is parsed for it."""

import pytest

from worldwise import catalog
from worldwise.catalog import extensive, lesson_deals, trees
from worldwise.errors import UnknownNameError

SHELVES = [
    (lesson_deals, "read_pbn", catalog.deal, catalog.deal_names, catalog.deals),
    (extensive, "efg_from_text", catalog.game, catalog.game_names, catalog.games),
    (trees, "tree_from_dict", catalog.figure, catalog.figure_names, catalog.figures),
]
OF_SHELF = pytest.mark.parametrize(
    ("module", "reader", "one", "names", "every"), SHELVES, ids=["deals", "games", "figures"]
)


@pytest.fixture
def reads(monkeypatch, module, reader, one):
    """How often a file, or an entry of one, is parsed from now on."""
    read, count = getattr(module, reader), []

    def counting(*given):
        count.append(given)
        return read(*given)

    monkeypatch.setattr(module, reader, counting)
    (trees._figure if module is trees else one).cache_clear()
    return count


@OF_SHELF
def test_one_is_read_alone_and_once(one, names, every, reads):
    first = names()[0]
    assert not reads
    assert one(first) is one(first)
    assert len(reads) == 1
    assert every()[first] is one(first)


@OF_SHELF
def test_names_are_those_of_what_there_is(one, names, every, reads):
    assert list(every()) == names()
    with pytest.raises(UnknownNameError, match=names()[-1]):
        one("no/such-name")
