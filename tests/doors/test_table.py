"""The table manager's protocol: our client, our table, and OpenSpiel's side of it."""

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, contextmanager, suppress
from random import Random
from time import sleep

import pytest

from patience import PATIENCE
from worldwise.bridge.files.any_format import read_boards
from worldwise.bridge.players.bidder import SystemBidder
from worldwise.bridge.players.simple import RandomPlayer
from worldwise.bridge.rules.auction import Auction, call_name
from worldwise.bridge.rules.board import Board, dealer_of_board
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal, Seat, read_card, read_hand
from worldwise.bridge.rules.scoring import north_south_score
from worldwise.doors import table_lobby
from worldwise.doors import table_protocol as protocol
from worldwise.doors.table_client import ClockPlayer, TableClient
from worldwise.doors.table_manager import BrokenRuleError, TableManager
from worldwise.doors.table_protocol import Dialect, LineSocket, LostError
from worldwise.errors import InputError


def boards(number, seed=0):
    rng = Random(seed)
    return [
        Board(Deal.random(rng), number=one, dealer=dealer_of_board(one), vulnerability=Vulnerability.of_board(one))
        for one in range(1, number + 1)
    ]


# ---------------------------------------------------------------------- words


@pytest.mark.parametrize("loud", [False, True])
def test_what_is_written_in_either_dialect_is_read_back(loud):
    dialect, auction = Dialect(loud), Auction(Seat.NORTH)
    for call in (0, 0, 9, 1, 2):
        assert protocol.read_call_line(dialect.call(auction.turn, call)) == (auction.turn, call, None)
        auction = auction.then(call)
    rng = Random(1)
    for board in boards(16):
        assert protocol.read_board_line(protocol.board_line(board.number, board.dealer, board.vulnerability)) == (
            board.number,
            board.dealer,
            board.vulnerability,
        )
        hand = board.deal[rng.choice(SEATS)]
        assert protocol.read_hand_line(dialect.cards("North", hand)) == hand


@pytest.mark.parametrize(
    "line",
    [
        "West plays 5h",
        "WEST plays 5h",
        "West plays 5H",
        "west plays H5",
        "Dummy plays h5.",
    ],
)
def test_a_card_may_be_written_in_many_ways(line):
    assert protocol.read_play_line(line) == read_card("H5")


def test_explanations_of_alerted_calls_are_heard():
    assert protocol.read_call_line("North bids 1NT Alert. 15-17") == (Seat.NORTH, 9, "15-17")
    assert protocol.read_call_line("North bids 2C Infos. Stayman") == (Seat.NORTH, 10, "Stayman")
    assert protocol.read_call_line("North doubles") == (Seat.NORTH, 1, None)


@pytest.mark.parametrize(
    ("read", "line"),
    [
        (protocol.read_board_line, "Board number x. Dealer NORTH. Both vulnerable."),
        (protocol.read_board_line, "Board number 1. Dealer NORTH. Some vulnerable."),
        (protocol.read_hand_line, "North's cards : S A."),
        (protocol.read_hand_line, "North's cards : S A A K Q J T 9 8 7 6 5 4 3. H -. D -. C -."),
        (protocol.read_call_line, "North bids 8NT"),
        (protocol.read_call_line, "Norman passes"),
        (protocol.read_play_line, "North plays 1h"),
        (protocol.read_play_line, "North plays"),
        (protocol.read_seat_line, "Refused: no seat"),
        (protocol.read_connect_line, 'Connecting "a" as North using protocol version 17'),
        (protocol.read_connect_line, "GET / HTTP/1.1"),
        (protocol.read_hand_line, "S" * 10_000),
    ],
)
def test_other_lines_are_refused_in_a_word(read, line):
    with pytest.raises(InputError, match="expected") as error:
        read(line)
    assert len(str(error.value)) < 300


# ---------------------------------------------------------------------- bidding


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("KQ5.AQ73.K62.QJ8", "N:", "1NT"),
        ("KQ542.A73.K62.82", "N:", "1S"),
        ("K542.A73.Q62.J82", "N:", "Pass"),
        ("52.73.62.KQJ9862", "N:", "3C"),
        ("KQJ987.73.62.982", "N:", "2S"),
        ("52.K732.K62.J842", "N: 1H P", "2H"),
        ("52.732.K62.J8432", "N: 1H P", "Pass"),
        ("K52.73.KQ62.K842", "N: 1NT P", "3NT"),
        ("K52.73.J62.98432", "N: 1NT P", "Pass"),
        ("AQJ52.73.K62.842", "N: 1H", "1S"),
        ("AQJ.AK3.AKQ6.AK2", "N:", "2NT"),
    ],
)
def test_the_bidder_calls_what_the_system_says_in_plain_words(hand, auction, call):
    assert call_name(SystemBidder().choose(read_hand(hand), Auction.read(auction))) == call


def test_every_auction_ends_and_honest_bids_show_their_suits():
    rng, games = Random(5), 0
    for _ in range(100):
        deal, auction = Deal.random(rng), Auction(rng.choice(SEATS))
        while not auction.over:
            auction = auction.then(SystemBidder().choose(deal[auction.turn], auction))
        games += auction.contract is not None and auction.contract.level >= 3
        assert auction.contract is None or auction.contract.level <= 5
    assert games > 20


# ---------------------------------------------------------------------- at one table


NAMES = ("a", "b", "a", "b")
BIDDER, ANYBODY = SystemBidder(), RandomPlayer()


def play(given, names=NAMES, bidder=BIDDER, player=ANYBODY):
    """Boards played by four clients in threads."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        address = listening.getsockname()
        threads = [
            threading.Thread(target=_sit, args=(address, names[seat], seat, player, bidder), daemon=True)
            for seat in SEATS
        ]
        for thread in threads:
            thread.start()
        told = list(TableManager(listening, PATIENCE).run(given))
        for thread in threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in threads)
        return told


def _sit(address, name, seat, player, bidder):
    with socket.create_connection(address) as connection:
        TableClient(LineSocket(connection), name, seat, player, bidder, seed=int(seat or 0)).run()


def test_a_match_of_64_boards_is_legal_and_scored():
    given = boards(64)
    told = play(given)
    assert [one.deal for one in told] == [one.deal for one in given]
    for board in told:
        assert board.auction.over
        assert board.auction.dealer == board.dealer
        if board.contract is None:
            assert board.score == 0
            continue
        assert len(board.cards) == 52
        assert board.play.position.over  # which checks every card by the rules
        assert board.score == north_south_score(board.contract, board.play.declarer_tricks, board.vulnerability)
    assert sum(board.contract is not None for board in told) > 50
    assert told[0].names == ("a", "b", "a", "b")


def test_without_bidding_everything_is_passed_out():
    assert [board.passed_out for board in play(boards(3), bidder=None)] == [True] * 3


@pytest.mark.usefixtures("needs_kernels")
def test_by_the_clock_a_whole_board_is_played():
    (board,) = play(boards(1, seed=3), player=ClockPlayer(seconds=0.01, worlds=2))
    assert board.contract is not None
    assert len(board.cards) == 52


def test_seats_are_given_once_strangers_turned_away_and_a_lost_seat_is_free():
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        address, said, told = listening.getsockname(), queue.SimpleQueue(), queue.SimpleQueue()
        manager = TableManager(listening, PATIENCE, said.put)
        threading.Thread(target=lambda: told.put(list(manager.run(boards(1)))), daemon=True).start()
        assert ask(address, "GET / HTTP/1.1").startswith("Refused: expected somebody who connects")
        with socket.create_connection(address) as first:
            LineSocket(first).send_line('Connecting "x" as South using protocol version 18')
            assert said.get(timeout=PATIENCE) == "x sits South"
            assert "found South taken" in ask(address, 'Connecting "y" as South using protocol version 18')
        for seat in (Seat.NORTH, Seat.EAST, Seat.WEST):
            threading.Thread(target=_sit, args=(address, "z", seat, ANYBODY, None), daemon=True).start()
        while "x at South is lost" not in said.get(timeout=PATIENCE):
            pass
        _sit(address, "z", None, ANYBODY, None)
        assert told.get(timeout=PATIENCE)[0].passed_out


def ask(address, line):
    with socket.create_connection(address) as connection:
        lines = LineSocket(connection)
        lines.send_line(line)
        return lines.read_line(PATIENCE)


def test_who_connects_and_says_nothing_keeps_nobody_waiting(monkeypatch):
    """One after another they used to have ten seconds each, and ten more for every letter."""
    monkeypatch.setattr(table_lobby, "GREETING", PATIENCE)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening, ExitStack() as silent:
        address, manager = listening.getsockname(), TableManager(listening, PATIENCE)
        threading.Thread(target=lambda: list(manager.run(boards(1))), daemon=True).start()
        others = [silent.enter_context(socket.create_connection(address)) for _ in range(table_lobby.MOST_WAITING + 9)]
        for one in others:
            one.sendall(b"C")
        assert ask(address, "GET / HTTP/1.1").startswith("Refused: expected somebody who connects")
        assert others[0].recv(1) == b"", "the eldest of too many is still there"


def test_who_takes_too_long_to_say_who_he_is_goes(monkeypatch):
    monkeypatch.setattr(table_lobby, "GREETING", 0.1)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        manager = TableManager(listening, PATIENCE)
        threading.Thread(target=lambda: list(manager.run(boards(1))), daemon=True).start()
        with socket.create_connection(listening.getsockname()) as silent:
            silent.settimeout(PATIENCE)
            assert silent.recv(1) == b""


def test_a_line_has_its_time_however_small_its_pieces_come():
    here, there = socket.socketpair()
    with here, there, suppress(OSError):

        def drip():
            with suppress(OSError):
                while True:
                    there.sendall(b"x")
                    sleep(0.01)

        threading.Thread(target=drip, daemon=True).start()
        with pytest.raises(LostError, match=r"no line came for 0\.2 s"):
            LineSocket(here).read_line(0.2)


def test_nobodys_name_or_alert_speaks_to_the_terminals_of_others():
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b"EAST bids 2H Alert. \x1b]0;x\x07\r\n")
        assert LineSocket(here).read_line(PATIENCE) == r"EAST bids 2H Alert. \x1b]0;x\x07"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("North bids 8C", "expected a call"),
        ("North doubles", "expected a double of the opponents' bid only"),
        ("East passes", "expected North's call"),
        ("hello", "expected a call"),
    ],
)
def test_a_call_against_the_rules_ends_the_session_and_says_whose(line, words):
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        address = listening.getsockname()
        for seat in SEATS[1:]:
            threading.Thread(target=_sit_and_lose, args=(address, seat), daemon=True).start()
        threading.Thread(target=_cheat, args=(address, line), daemon=True).start()
        with pytest.raises(BrokenRuleError, match=f"North: .*{re.escape(words)}"):
            list(TableManager(listening, PATIENCE).run(boards(1)))


def _sit_and_lose(address, seat):
    with suppress(LostError):
        _sit(address, "honest", seat, RandomPlayer(), None)


def _cheat(address, line):
    with suppress(LostError), socket.create_connection(address) as connection:
        lines = LineSocket(connection)
        for told in (
            'Connecting "cheat" as North using protocol version 18',
            "North ready for teams",
            "North ready to start",
            "North ready for deal",
            "North ready for cards",
            line,
        ):
            lines.send_line(told)
            lines.read_line(PATIENCE)


# ---------------------------------------------------------------------- four processes


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that kills")
def test_a_match_of_16_boards_by_four_processes_one_of_them_killed(tmp_path):
    out = tmp_path / "evening.pbn"
    with ExitStack() as processes:
        manager = processes.enter_context(
            killed_in_the_end("table", "--boards", 16, "--port", 0, "--seed", 7, "--out", out)
        )
        port = re.search(r"port (\d+)\n", manager.stderr.readline())[1]

        def sit_down(seat):
            options = ("--port", port, "--seat", seat, "--player", "random", "--name", f"bot {seat}")
            return processes.enter_context(killed_in_the_end("client", *options))

        clients = {seat: sit_down(seat) for seat in SEATS}
        for line in manager.stdout:
            if line.startswith("board 5:"):
                clients[Seat.EAST].kill()
                clients[Seat.EAST] = sit_down(Seat.EAST)
        assert manager.wait(PATIENCE) == 0
        assert "is lost; board " in manager.stderr.read()
        assert [client.wait(PATIENCE) for client in clients.values()] == [0] * 4
    found = read_boards(out)
    assert [board.number for board in found] == list(range(1, 17))
    assert not found.faults
    assert all(board.passed_out or board.play.position.over for board in found)


@contextmanager
def killed_in_the_end(*arguments):
    command = [sys.executable, "-m", "worldwise", "bridge", *map(str, arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=os.environ, **streams) as process:
        yield process
        process.kill()


# ---------------------------------------------------------------------- OpenSpiel's controller


class Lines:
    """Lines between OpenSpiel's bot and a client that runs in a thread."""

    def __init__(self):
        self.to_client, self.to_manager = queue.SimpleQueue(), queue.SimpleQueue()

    def read_line(self):
        return self.to_manager.get(timeout=PATIENCE)

    def send_line(self, line):
        self.to_client.put(line)

    def terminate(self):
        self.to_client.put("End of session")


class Other:
    """The client's end of them."""

    def __init__(self, lines):
        self.lines = lines

    def send_line(self, line):
        self.lines.to_manager.put(line)

    def read_line(self):
        return self.lines.to_client.get(timeout=PATIENCE)


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_openspiels_controller_plays_whole_boards_with_four_of_our_clients(seed):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.bots.bluechip_bridge import GAME_STR, BlueChipBridgeBot

    game, threads, bots = pyspiel.load_game(GAME_STR), [], []
    for player in range(4):

        def controller():
            lines = Lines()
            client = TableClient(Other(lines), "worldwise", None, RandomPlayer(), SystemBidder())
            threads.append(threading.Thread(target=client.run, daemon=True))
            threads[-1].start()
            return lines

        bots.append(BlueChipBridgeBot(game, player, controller))
    state, rng = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
            continue
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    for bot in bots:
        bot.inform_state(state)
        bot.terminate()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


# ---------------------------------------------------------------------- the commands


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["client", "--seat", "Northwest"], "--seat: expected a seat"),
        (["client", "--bidding", "acol99"], "--bidding: unknown bidding system"),
        (["client", "--player", "dds"], "--player: expected a player who sees his own cards"),
        (["client", "--name", 'a"b'], "--name: expected 1 to 60 letters"),
        (["client", "--port", "1"], "expected a table manager at 127.0.0.1 port 1"),
        (["table", "--file", "nowhere.pbn"], "no such file"),
    ],
)
def test_what_is_wrong_with_a_command_is_one_line(worldwise_command, arguments, words):
    done = worldwise_command("bridge", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
