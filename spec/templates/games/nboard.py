#!/usr/bin/env python3
"""An Othello program that speaks the NBoard protocol, such as Edax or Ntest, as an engine for `othello.py`:
`python3 nboard.py edax -nboard`. The words are the command of the program.

NBoard has no clock: the program searches to the depth of `go depth` or of the option `Depth`, also after `stop`. The
protocol is described in `instructions/Protocol.htm` of github.com/weltyc/ntest."""
import queue, re, subprocess, sys, threading  # noqa: E401

HELLO = "id name {}\nid author unknown\noption name Depth type spin default 10 min 1 max 60\nugiok"
ANSWER = "===[ ]+(pa|[a-h][1-8])(?:[ /]+([+-]?[0-9]+(?:[.][0-9]*)?))?"  # perhaps with the value, for the mover
START = "8/8/8/3wb3/3bw3/8/8/8 b"


def read_lines(source: str, stream: object, lines: queue.Queue) -> None:
    """Puts each line into the queue, with its source; at the end, None."""
    for line in stream:
        lines.put((source, line.strip()))
    lines.put((source, None))


def game(fen: str, codes: list) -> str:
    """A game in the General Game Format, from a position string of `othello.py` and the moves after it."""
    board, side = fen.rsplit(" ", 1)
    cells = re.sub("[0-9]+", lambda run: "-" * int(run[0]), board).replace("/", "")
    if len(cells) != 64 or side not in ("b", "w"):
        raise ValueError("expected a board of 8 rows and 8 columns, then b or w")
    cells, sides = cells.translate({98: "*", 119: "O"}), "BW" if side == "b" else "WB"
    moves = "".join(f"{sides[i % 2]}[{'PA' if code == 'pass' else code.upper()}]" for i, code in enumerate(codes))
    mark = "*" if side == "b" else "O"
    return f"(;GM[Othello]PC[NBoard]PB[p1]PW[p2]RE[?]TI[15:00]TY[8]BO[8 {cells} {mark}]{moves};)"


class Engine:
    """Lines of the referee to the program, and back."""
    def __init__(self, command: list):
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.name, self.depth, self.game = command[0].split("/")[-1], 10, game(START, [])
        self.n_pings, self.awaited = 0, ""  # the answer of the program that is due
        self.is_scored = False  # by a line of the current search
        self.tell("nboard 2")

    def tell(self, line: str) -> None:
        self.program.stdin.write(f"{line}\n")
        self.program.stdin.flush()

    def carry_out(self, line: str) -> None:
        """A line of the referee."""
        words = line.split()
        if line == "ugi":
            say(HELLO.format(self.name))
        elif line == "isready":
            say("readyok")
        elif line == "uginewgame":
            self.game = game(START, [])
        elif match := re.fullmatch("setoption name depth value ([0-9]+)", line, re.IGNORECASE):
            self.depth = int(match[1])
        elif match := re.fullmatch("position (startpos|fen (.+?))( moves( .*)?)?", line):
            self.game = game(match[2] or START, (match[4] or "").split())
        elif words[:1] == ["go"]:
            depth = dict(zip(words, words[1:])).get("depth", self.depth)
            self.n_pings, self.awaited, self.is_scored = self.n_pings + 1, f"pong {self.n_pings + 1}", False
            for command in (f"set depth {depth}", f"set game {self.game}", f"ping {self.n_pings}"):
                self.tell(command)
        elif words and words[0] not in ("stop", "ponderhit"):
            say(f"info error unexpected {line[:80]}: expected ugi, isready, setoption, position, go or quit")

    def hear(self, line: str) -> None:
        """A line of the program."""
        if line.startswith("set myname "):
            self.name = line[len("set myname "):]
        elif line == self.awaited:
            self.awaited = "==="
            self.tell("go")
        elif self.awaited == "===" and (match := re.match(ANSWER, line, re.IGNORECASE)):
            self.awaited = ""
            if match[2] and not self.is_scored:
                say(f"info score cp {float(match[2]) * 100:.0f}")
            say("bestmove " + ("pass" if match[1].lower() == "pa" else match[1].lower()))
        elif match := re.match(r"search (\S+) (-?[0-9.]+) \S+ ([0-9]+)", line):
            self.is_scored = True
            pv = re.findall("[a-h][1-8]|pa", match[1].lower())
            codes = " ".join("pass" if code == "pa" else code for code in pv)
            say(f"info depth {match[3]} score cp {float(match[2]) * 100:.0f} pv {codes}")


def say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit("expected the command of a program, as in nboard.py edax -nboard")
    lines, engine = queue.Queue(), Engine(sys.argv[1:])
    for source, stream in (("referee", sys.stdin), ("program", engine.program.stdout)):
        threading.Thread(target=read_lines, args=(source, stream, lines), daemon=True).start()
    while True:
        source, line = lines.get()
        if line == "quit" or line is None and source == "referee" and not engine.awaited:
            engine.program.kill()
            return
        if line is None and source == "program":
            sys.exit(f"{sys.argv[1]} exited with status {engine.program.wait()}")
        try:
            {"referee": engine.carry_out, "program": engine.hear}[source](line or "")
        except ValueError as error:
            say(f"info error {error}")


main()
