#!/usr/bin/env python3
"""Tests of the rules programs next to this file: python3 test.py. Standard library only; Node.js, a C compiler and the
package python-chess are used where there are any."""
import json
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "tests/data"
PERFT = DATA / "games/perft.txt"
ROLES = set("""board cell grid goal ghost from to piece sign ghost-sign covered trail last-trail jump puck target ruled-out
    danger decisive finished pending counted label note""".split())
FORMS = {"circle": {"centre", "radius"}, "polygon": {"points"}, "path": {"lines", "width"},
         "text": {"at", "size", "text"}}
GAMES = {  # the options of random games of each program, and the most plies
    "hex.py": (["Size 3", "Size 5", "Size 11"], 130), "connect4.py": (["", "Columns 4", "Rows 9"], 90),
    "breakthrough.py": (["", "Rows 5", "Columns 11"], 60), "othello.py": (["", "Size 4", "Size 6"], 70),
    "domineering.py": (["", "Size 2", "Size 11"], 40), "amazons.py": (["Size 4", "Size 6", "Size 10"], 20),
    "ataxx.py": ([""], 60), "chess.py": ([""], 80), "draughts.py": (["", ""], 200)}


class Program:
    """A running rules program."""
    def __init__(self, *command: str):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def send(self, *lines: str) -> list:
        """Sends lines and returns those that came before `readyok`."""
        self.process.stdin.write("\n".join([*lines, "isready", ""]))
        self.process.stdin.flush()
        replies = []
        for line in self.process.stdout:
            if line == "readyok\n":
                return replies
            replies.append(line.rstrip("\n"))
        raise AssertionError(f"ended after {lines}")

    def query(self, what: str) -> str:
        replies = self.send(f"query {what}")
        assert len(replies) == 1 and (replies[0] + " ").startswith("response "), (what, replies)
        return replies[0][len("response "):]

    def state(self) -> list:
        return [self.query(what) for what in ("p1turn", "gameover", "result", "moves", "fen", "game")]


def command(name: str) -> list:
    """The command that starts a program of this folder; skips the test if something for it is missing."""
    if name == "chess.py" and not find_spec("chess"):
        raise unittest.SkipTest("no package python-chess")
    if name.endswith(".py"):
        return [sys.executable, str(HERE / name)]
    if name.endswith(".js") and shutil.which("node"):
        return ["node", str(HERE / name)]
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if name.endswith(".c") and compiler:
        program = Path(tempfile.mkdtemp()) / name[:-2]
        unittest.addModuleCleanup(shutil.rmtree, program.parent)
        subprocess.run([compiler, "-std=c11", "-O2", "-o", program, HERE / name], check=True)
        return [str(program)]
    raise unittest.SkipTest(f"nothing to run {name} with")


def setoption(options: str) -> list:
    words = options.split()
    return [f"setoption name {name} value {value}" for name, value in zip(words[::2], words[1::2])]


def is_chained(stones: set, axis: int, size: int) -> bool:
    """Whether stones on a board of Hex connect its edges along an axis."""
    chained, n = {stone for stone in stones if stone[axis] == 0}, 0
    while len(chained) > n:
        n = len(chained)
        around = {(x + u, y + v) for x, y in chained for u in (-1, 0, 1) for v in (-1, 0, 1) if u != v}
        chained |= around & stones
    return any(stone[axis] == size - 1 for stone in chained)


class Perft(unittest.TestCase):
    """The counts of perft.txt, and those of counters written in another way for the games without a source."""
    def test_counts_of_the_literature(self) -> None:
        for line in PERFT.read_text().splitlines():
            if line and not line.startswith("#"):
                name, options, position, depth, nodes, _ = (field.strip() for field in line.split("|"))
                with self.subTest(line):
                    with Program(*command(name)) as program:
                        replies = program.send(*setoption(options), f"position {position}", f"go perft {depth}")
                    self.assertEqual(replies[-1], f"nodes {nodes}")
                    divided = sum(int(reply.split(": ")[1]) for reply in replies[:-1])
                    self.assertEqual(divided if int(depth) else 1, int(nodes))

    def test_second_counters(self) -> None:
        def empty(size: int) -> set:
            return {(x, y) for x in range(size) for y in range(size)}

        def domineering(free: set, is_first: bool, depth: int) -> int:
            if not depth:
                return 1
            steps = [{(x, y), (x, y + 1) if is_first else (x + 1, y)} for x, y in free]
            return sum(domineering(free - step, not is_first, depth - 1) for step in steps if step <= free)

        def rays(cell: tuple) -> list:
            ways = [(u, v) for u in (-1, 0, 1) for v in (-1, 0, 1) if u or v]
            return [[(cell[0] + i * u, cell[1] + i * v) for i in range(1, 12)] for u, v in ways]

        def reach(cell: tuple, free: set) -> list:
            return [to for ray in rays(cell) for i, to in enumerate(ray) if set(ray[:i + 1]) <= free]

        def amazons(own: set, others: set, free: set, depth: int) -> int:
            if not depth:
                return 1
            return sum(amazons(others, own - {start} | {end}, (free | {start}) - {end, arrow}, depth - 1)
                       for start in own for end in reach(start, free) for arrow in reach(end, (free | {start}) - {end}))

        def breakthrough(own: set, others: set, home: int, far: int, depth: int) -> int:
            if not depth:
                return 1
            if not own or any(y == home for _, y in others):
                return 0
            steps = [((x, y), (x + side, y + (1 if home < far else -1))) for x, y in own for side in (-1, 0, 1)]
            return sum(breakthrough(others - {to}, own - {start} | {to}, far, home, depth - 1) for start, to in steps
                       if 0 <= to[0] < 4 and to not in own and (start[0] != to[0] or to not in others))

        def hex_stones(own: set, others: set, axis: int, depth: int) -> int:
            if not depth:
                return 1
            if is_chained(others, 1 - axis, 3):
                return 0
            return sum(hex_stones(others, own | {cell}, 1 - axis, depth - 1) for cell in empty(3) - own - others)

        def othello(own: set, others: set, size: int, depth: int) -> int:
            def flips(cell: tuple, own: set, others: set) -> set:
                lines = [ray[:next(i for i, to in enumerate(ray) if to not in others)] for ray in rays(cell)]
                return {to for line, ray in zip(lines, rays(cell)) if ray[len(line)] in own for to in line}

            def moves(own: set, others: set) -> dict:
                found = {cell: flips(cell, own, others) for cell in empty(size) - own - others}
                return {cell: turned for cell, turned in found.items() if turned}
            if not depth:
                return 1
            if not moves(own, others):
                return othello(others, own, size, depth - 1) if moves(others, own) else 0
            return sum(othello(others - turned, own | turned | {cell}, size, depth - 1)
                       for cell, turned in moves(own, others).items())

        def count(name: str, options: str, depth: int) -> int:
            with Program(*command(name)) as program:
                replies = program.send(*setoption(options), "position startpos", f"go perft {depth}")
            return int(replies[-1].split()[1])

        for size, depth in ((2, 3), (3, 5), (4, 5), (8, 2)):
            self.assertEqual(count("domineering.py", f"Size {size}", depth), domineering(empty(size), True, depth))
        self.assertEqual(count("hex.py", "Size 3 Swap 0", 6), hex_stones(set(), set(), 1, 6))
        low, high = ({(x, y) for x in range(4) for y in rows} for rows in ((0, 1), (3, 4)))
        self.assertEqual(count("breakthrough.py", "Columns 4 Rows 5", 5), breakthrough(low, high, 0, 4, 5))
        white = {(0, 1), (3, 1), (1, 0), (2, 0)}  # on a board of 4 x 4
        black = {(x, 3 - y) for x, y in white}
        for depth in (1, 2):
            free = empty(4) - white - black
            self.assertEqual(count("amazons.py", "Size 4", depth), amazons(white, black, free, depth))
        for size, depths in ((4, (4, 7, 9)), (6, (5,))):
            half = size // 2
            black, white = {(half, half - 1), (half - 1, half)}, {(half, half), (half - 1, half - 1)}
            for depth in depths:  # with passes on the small board
                self.assertEqual(count("othello.py", f"Size {size}", depth), othello(black, white, size, depth))


class Draughts(unittest.TestCase):
    """Rules of draughts that few random games reach."""
    def test_moves_of_positions(self) -> None:
        cases = {
            "W:W28,32,50:B23": "28x19x23", "W:W27,28:B1,22,13": "27x9x13x22", "B:W50:B45": "", "W:W6:B5": "6-1",
            "W:WK48:B1,42": "48x26x42 48x31x42 48x37x42", "W:WK48:B31,42": "48x26x31x42",
            # A captured piece is in the way until the end of the move.
            "W:WK50:BK13,K27,33": "50x4x13x33 50x9x13x33 50x31x27x33 50x36x27x33",
            # The captures may end where they began.
            "W:W33:B18,19,28,29": "33x33x18x19x28x29"}
        ends = {  # the position after a move, and the result
            "W:W13:B1,7,8 moves 13x11x7x8": "B:W11:B1 none", "W:W12:B6,7 moves 12x1x7": "B:WK1:B6 none",
            "W:W13:B8 moves 13x2x8": "B:WK2:B p1win", "W:WK1:BK50:H49 moves 1-6": "B:WK6:BK50:H50 draw",
            "W:WK1,46:BK50:H49 moves 46-41": "B:WK1,41:BK50 none",
            "W:WK1:BK50 moves 1-6 50-45 6-1 45-50 1-6 50-45 6-1": "B:WK1:BK45:H7 none",
            "W:WK1:BK50 moves 1-6 50-45 6-1 45-50 1-6 50-45 6-1 45-50": "W:WK1:BK50:H8 draw"}
        with Program(*command("draughts.py")) as program:
            for fen, moves in cases.items():
                self.assertEqual(program.send(f"position fen {fen}"), [])
                self.assertEqual(program.query("moves"), moves, fen)
                RandomGames().check_diagram(json.loads(program.query("diagram")), moves.split())
            for position, end in ends.items():
                self.assertEqual(program.send(f"position fen {position}"), [])
                self.assertEqual(f"{program.query('fen')} {program.query('result')}", end, position)
            for wrong in ("W:W51:B1", "W:W1:B50", "W:W31,31:B1", "W:W31:B46", "W:W31,B1", "W:W" + "1" * 99 + ":B1"):
                self.assertTrue(program.send(f"position fen {wrong}")[0].startswith("info error "), wrong)


class Hub(unittest.TestCase):
    """A draughts program may end a search without a limit; its move is held until `stop` or `ponderhit`."""
    def test_moves_are_held(self) -> None:
        strict = [sys.executable, str(DATA / "hub.py"), str(HERE / "draughts.py")]
        for go, end in (("go infinite", "stop"), ("go ponder p1time 9", "ponderhit"), ("go ponder p1time 9", "stop")):
            with Program(*command("hub.py"), *strict) as program:
                replies = program.send("ugi", "setoption name early value true", "isready", go)
                while not any(line.startswith("info ") for line in replies):
                    replies += program.send()
                for _ in range(20):
                    replies += program.send()
                self.assertFalse([line for line in replies if line.startswith("bestmove")], go)
                replies = program.send(end)
                while not replies:
                    replies = program.send()
                self.assertEqual(replies, ["bestmove 35-30"])


class Chains(unittest.TestCase):
    """Hex on full boards, where chains wind in all directions."""
    def test_winner_of_full_boards(self) -> None:
        rng = random.Random(1)
        with Program(*command("hex.py")) as program:
            for size in [7] * 100 + [11] * 20:
                rows = ["".join(rng.choice("rb") for _ in range(size)) for _ in range(size)]
                program.send(f"position fen {'/'.join(rows)} r")
                red = {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "r"}
                winner = "p1win" if is_chained(red, 1, size) else "p2win"
                self.assertEqual(program.query("result"), winner, rows)
                lines = [shape["lines"] for shape in json.loads(program.query("diagram"))["shapes"] if "lines" in shape]
                self.assertGreaterEqual(len(lines[0][0]), size)


class RandomGames(unittest.TestCase):
    """What must hold in each position of random games."""
    def test_games(self) -> None:
        for name, (choices, n_plies) in GAMES.items():
            for seed, options in enumerate(choices):
                with self.subTest(f"{name} {options}, seed {seed}"), Program(*command(name)) as program:
                    self.check_game(program, options, n_plies, random.Random(seed))

    def check_game(self, program: Program, options: str, n_plies: int, rng: random.Random) -> None:
        handshake = program.send("ugi")
        self.assertEqual([line.split()[:2] for line in handshake[:2]], [["id", "name"], ["id", "author"]])
        self.assertEqual(handshake[-1], "ugiok")
        self.assertEqual(program.send(*setoption(options)), [])
        about = json.loads(program.query("about"))
        self.assertEqual([type(about[key]) for key in ("title", "sides", "move", "rules")], [str, list, str, str])
        line = "position startpos moves"
        for _ in range(n_plies):
            self.assertEqual(program.send(line), [])
            state = program.state()
            self.check_position(program, line, state)
            moves = state[3].split()
            if not moves:
                return self.check_end(program, line)
            line += f" {rng.choice(moves)}"

    def check_position(self, program: Program, line: str, state: list) -> None:
        _, is_over, result, moves, fen, _ = state
        moves = moves.split()
        self.assertEqual(len(moves), len(set(moves)))
        self.assertEqual(is_over, "true" if not moves else "false")
        self.assertIn(result, ("p1win", "p2win", "draw") if not moves else ("none",))
        self.assertEqual(program.send("d")[-1], f"fen: {fen}")
        self.check_diagram(json.loads(program.query("diagram")), moves)
        for code in moves if len(moves) < 40 else random.Random(len(moves)).sample(moves, 5):
            self.assertEqual(program.send(f"{line} {code}"), [])
        program.send(line)
        for wrong in (f"{line} nonsense", f"{line} {' '.join(moves[:1])} nonsense", "position fen nonsense", "position",
                      "position startpos nonsense", "go nonsense", "query nonsense", "nonsense", "setoption name Size",
                      "go perft nonsense", "go searchmoves nonsense"):
            replies = program.send(wrong)
            self.assertTrue(len(replies) == 1 and replies[0].startswith("info error "), (wrong, replies))
        self.assertTrue(program.send(f"{line} nonsense")[0].startswith("info error nonsense: "))
        self.assertEqual(program.state(), state)
        if moves:
            self.assertEqual(program.send(f"go searchmoves {moves[-1]} nodes 1"), [f"bestmove {moves[-1]}"])
            self.assertIn(program.send("go movetime 1")[-1].split()[1], moves)
        self.assertEqual(program.send(f"position fen {fen}"), [])
        if result != "draw" or state[5] not in ("chess", "draughts"):  # a string does not know of repetitions
            self.assertEqual(program.state(), state)

    def check_diagram(self, diagram: dict, moves: list) -> None:
        self.assertLessEqual(set(diagram), set("width height shapes spots gestures caption owners names".split()))
        for shape in diagram["shapes"] + [spot["outline"] for spot in diagram["spots"]]:
            self.assertEqual(set(shape) - {"role", "colour", "form"}, FORMS[shape["form"]])
            self.assertIn(shape.get("role", "cell"), ROLES)
            self.assertIn(shape.get("colour", 1), (1, 2))
            lines = shape.get("lines", [shape.get("points", [shape.get("centre", shape.get("at"))])])
            for x, y in (point for points in lines for point in points):
                self.assertTrue(0 <= x <= diagram["width"] and 0 <= y <= diagram["height"], shape)
        spots = [spot["id"] for spot in diagram["spots"]]
        self.assertEqual(len(spots), len(set(spots)))
        self.assertEqual([gesture["code"] for gesture in diagram["gestures"]], moves)
        clicks = [tuple(gesture.get("spots", [gesture.get("button")])) for gesture in diagram["gestures"]]
        self.assertLessEqual({spot for click, gesture in zip(clicks, diagram["gestures"]) if "spots" in gesture
                              for spot in click}, set(spots))
        prefixes = {click[:n] for click in clicks for n in range(len(click))}
        self.assertEqual(len(clicks), len(set(clicks)))
        self.assertFalse(prefixes & set(clicks))

    def check_end(self, program: Program, line: str) -> None:
        program.send(line)
        self.assertEqual(program.send("go nodes 1"), ["info error game is over", "bestmove none"])
        self.assertEqual(program.send("go perft 3"), ["nodes 0"])
        self.assertEqual(program.send("go perft 0"), ["nodes 1"])


class Languages(unittest.TestCase):
    """Connect Four in JavaScript and C answers as it does in Python."""
    def test_javascript(self) -> None:
        self.compare("connect4.js")

    def test_c(self) -> None:
        self.compare("connect4.c")

    def compare(self, name: str) -> None:
        with Program(*command("connect4.py")) as model, Program(*command(name)) as twin:
            for seed in range(6):
                for lines in self.script(model, random.Random(seed)):
                    self.assertEqual(twin.send(*lines), model.send(*lines), lines)

    def script(self, model: Program, rng: random.Random) -> list:
        yield ["ugi", "QUERY about", "uginewgame", "", "  go  perft\t0 "]
        yield [f"setoption name Columns value {rng.randint(2, 10)}", f"setoption name Rows value {rng.randint(3, 10)}",
               "setoption name Hash value 5", "setoption name Rows", "go nodes", "go depth 1 depth 2", "go wtime 3",
               "go perft 101", "query", "query moves now", "position", "position fen", "d svg", "xyzzy",
               "go infinite x", "position startpos moves 1 0", "position startpos movesx 1",
               "setoption name a b value 4"]
        line = "position startpos moves"
        for _ in range(90):
            queries = [f"query {what}" for what in "p1turn gameover result moves fen game diagram".split()]
            yield [line, *queries, "d", "go perft 2", f"{line} 9 9", f"{line} {'x' * 99}"]
            fen = model.query("fen")
            yield [f"position fen {fen} moves 1", *queries, f"position fen {fen}x", f"position fen {fen[:-1]}",
                   f"position fen {fen.replace('r', 'y', 1)}", f"position fen {fen.replace('/', '', 1)}", *queries]
            model.send(line)
            moves = model.query("moves").split()
            if not moves:
                break
            move = rng.choice(moves)
            yield [line, f"go searchmoves {move} depth 1", "go searchmoves 1 nodes", "go searchmoves 0",
                   f"go infinite searchmoves {move}", "d", "query fen", "stop", "stop"]
            line += f" {move}"


if __name__ == "__main__":
    unittest.main()
