#!/usr/bin/env python3
"""A draughts program that speaks the Hub protocol, such as Scan, as an engine for `draughts.py`:
`python3 hub.py ./scan hub`. The words are the command of the program. Its parameters are options.

The protocol, version 2, is described in `protocol.txt` of Scan 3.1, github.com/rhalbersma/scan."""
import queue, re, subprocess, sys, threading  # noqa: E401

START = "W:W31-50:B1-20"
KINDS = {"bool": "check", "int": "spin", "enum": "combo"}  # all other parameters are strings
IN_SEARCH = ("isready", "stop", "ponderhit")
LIMIT = r" (p1time|p2time|p1inc|p2inc|movestogo|depth|nodes|movetime) (-?\d+)"


def read_lines(source: str, stream: object, lines: queue.Queue) -> None:
    """Puts each line into the queue, with its source; at the end, None."""
    for line in stream:
        lines.put((source, line.strip()))
    lines.put((source, None))


def pairs(text: str) -> dict:
    """The arguments of a line of Hub: `name=value`, `name="a value"` or `name`."""
    found = re.findall(r'([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]+)))?', text)
    return {name: quoted or word for name, quoted, word in found}


def ordered(code: str) -> str:
    """A move with its captured squares, which Hub names in any order, in ascending order."""
    start, *rest = code.split("x")
    return "x".join([start, *rest[:1], *sorted(rest[1:], key=int)])


def position(fen: str, codes: list) -> tuple:
    """The words of `pos` for a position string of `draughts.py` and moves, and whether white is to move. As from the
    program Hub, they name only the moves by kings since the last other move."""
    match = re.fullmatch("([WB])((?::[WB][K0-9,-]*){2})(:H[0-9]+)?", fen.upper())
    if not match or any(int(n) > 50 for n in re.findall("[0-9]+", match[2])):
        raise ValueError("expected a position such as W:W31,K32:B1-9")
    cells, turn, moves = ["e"] * 51, match[1], []
    for side, squares in re.findall(":(.)([^:]*)", match[2]):
        for king, first, last in re.findall("(K?)([0-9]+)-?([0-9]*)", squares):
            for n in range(int(first), int(last or first) + 1):
                cells[n] = side if king else side.lower()
    words = turn + "".join(cells[1:])
    square = "([1-9]|[1-4][0-9]|50)"
    for code in codes:
        if not re.fullmatch(f"{square}(-{square}|(x{square}){{2,}})", code):
            raise ValueError(f"{code[:80]}: expected a move such as 32-28 or 28x19x23")
        start, end, *taken = map(int, re.findall("[0-9]+", code))
        piece, turn = cells[start], "WB"[turn == "W"]
        for n in (start, *taken):
            cells[n] = "e"
        cells[end] = piece.upper() if piece == "w" and end < 6 or piece == "b" and end > 45 else piece
        moves = [*moves, code] if piece.isupper() and not taken else []
        words = words if moves else turn + "".join(cells[1:])
    return f"pos={words}" + f' moves="{" ".join(moves)}"' * bool(moves), turn == "W"


class Engine:
    """Lines of the referee to the program, and back."""
    def __init__(self, command: list):
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.params, self.position = {}, position(START, [])
        self.is_ready, self.ponders, self.is_ended = False, False, False
        self.awaited, self.best = "", ""  # the answer of the program that is due; the answer to `go` that is held
        self.is_held = False  # whether it is held until `stop` or `ponderhit`
        self.late = []  # lines of the referee that wait for either

    def tell(self, line: str, awaited: str = "") -> None:
        self.awaited = awaited or self.awaited
        self.program.stdin.write(f"{line}\n")
        self.program.stdin.flush()

    def is_searching(self) -> bool:
        return self.awaited == "done" or bool(self.best)

    def is_busy(self) -> bool:
        return bool(self.awaited or self.best)

    def next_late(self) -> tuple:
        """The first line that was late, if it can be carried out now."""
        if self.late and (not self.is_busy() or self.is_searching() and self.late[0] in IN_SEARCH):
            return "referee", self.late.pop(0)
        if self.is_ended and self.is_held and self.is_searching():
            self.end_search("stop")  # no line will end it
            return self.next_late()
        return ()

    def carry_out(self, line: str) -> None:
        """A line of the referee, or None at its end."""
        self.is_ended = self.is_ended or line is None
        if line == "isready" and self.is_searching():
            say("readyok")  # some programs end the search at a `ping`
        elif line in ("stop", "ponderhit") and self.is_searching():
            self.end_search(line)
        elif line == "quit" or line is None and not self.is_busy():
            self.quit()
        elif self.is_busy():
            self.late.append(line)
        elif line == "ugi":
            self.tell("hub", "wait")
        elif re.match("(isready|go)\\b", line) and not self.is_ready:
            self.late.insert(0, line)
            self.tell("init", "ready")
        elif line == "isready":
            self.tell("ping", "pong")
        elif line == "uginewgame":
            self.position = position(START, [])
            if self.is_ready:
                self.tell("new-game")
        elif match := re.fullmatch("setoption name (.+?) value (.*)", line, re.IGNORECASE):
            self.set_option(match[1], match[2])
        elif match := re.fullmatch("position (startpos|fen (.+?))( moves( .*)?)?", line):
            self.position = position(match[2] or START, (match[4] or "").split())
        elif re.match(r"go\b", line):
            self.go(line)
        elif line not in ("", "stop", "ponderhit"):
            say(f"info error unexpected {line[:80]}: expected ugi, isready, setoption, position, go or quit")

    def quit(self) -> None:
        self.program.stdin.write("quit\n" * (not self.awaited))
        self.program.stdin.close()
        try:
            self.program.wait(1)
        except subprocess.TimeoutExpired:
            self.program.kill()
        sys.exit()

    def set_option(self, name: str, value: str) -> None:
        known = next((param for param in self.params if param.lower() == name.lower()), "")
        if self.is_ready or not known and name.lower() != "ponder":
            raise ValueError(f"{name}: expected an option of the program, before isready")
        self.ponders = value == "true" if name.lower() == "ponder" else self.ponders
        if known:
            self.tell(f'set-param name={known} value="{value}"')

    def go(self, line: str) -> None:
        limits, flags = dict(re.findall(LIMIT, line)), re.sub(LIMIT, "", line).split()[1:]
        if not set(flags) <= {"infinite", "ponder"}:
            raise ValueError(f"{line[:80]}: expected times, movestogo, movetime, depth, nodes, infinite or ponder")
        words, is_white = self.position
        is_infinite = "infinite" in flags or not limits
        time, inc, move_time = (max(int(limits.get(name, 0)), 0) / 1000
                                for name in (("p1time", "p1inc") if is_white else ("p2time", "p2inc")) + ("movetime",))
        count = next((name for name in ("depth", "nodes") if name in limits), "")
        if is_infinite:
            level = "infinite"
        elif "movetime" in limits:
            level = f"move-time={move_time:g}"
        elif count:
            level = f"{count}={limits[count]}"
        else:  # the increment of Hub is added before the move
            moves = f"moves={limits['movestogo']} " if "movestogo" in limits else ""
            level = f"{moves}time={max(time - inc, 0):g} inc={inc:g}"
        self.is_held = is_infinite or "ponder" in flags
        mode = "ponder" if "ponder" in flags else "analyze" if is_infinite else "think"
        for command in (f"pos {words}", f"level {level}"):
            self.tell(command)
        self.tell(f"go {mode}", "done")

    def end_search(self, line: str) -> None:
        """Carries out `stop` or `ponderhit` during a search, or sends the answer that was held."""
        self.is_held = False
        if self.best:
            self.best = say(self.best) or ""
        else:
            self.tell({"stop": "stop", "ponderhit": "ponder-hit"}[line])

    def hear(self, line: str) -> None:
        """A line of the program."""
        command, _, rest = line.partition(" ")
        words = pairs(rest)
        if command == "id":
            say(f"id name {words.get('name')} {words.get('version', '')}".rstrip())
            say(f"id author {words.get('author') or 'unknown'}")
        elif command == "param":
            self.params[words["name"]] = words
        elif command == "error":
            say(f"info error {words.get('message')}")
        elif command == "info" and self.awaited == "done":
            self.report(words)
        elif command and command == self.awaited:
            self.awaited = ""
            if command == "wait":
                self.declare()
            elif command == "ready":
                self.is_ready = True
            elif command == "pong":
                say("readyok")
            elif command == "done":
                ponder = f" ponder {ordered(words['ponder'])}" if self.ponders and words.get("ponder") else ""
                self.best = f"bestmove {ordered(words.get('move') or 'none')}{ponder}"
                if not self.is_held:
                    self.end_search("")

    def declare(self) -> None:
        for name, param in self.params.items():
            is_bare = param.get("type") == "int" and "max" not in param
            kind = "string" if is_bare else KINDS.get(param.get("type"), "string")
            more = [f"min {param['min']} max {param['max']}"] if kind == "spin" else []
            more += [f"var {value}" for value in param.get("values", "").split()]
            say(" ".join([f"option name {name} type {kind} default {param.get('value') or '<empty>'}", *more]))
        if "ponder" not in map(str.lower, self.params):
            say("option name Ponder type check default false")
        say("ugiok")

    def report(self, words: dict) -> None:
        def scaled(name: str, factor: int) -> str:
            return f"{float(words[name]) * factor:.0f}" if name in words else ""
        values = {"depth": words.get("depth"), "score cp": scaled("score", 100), "nodes": words.get("nodes"),
                  "time": scaled("time", 1000), "pv": " ".join(map(ordered, words.get("pv", "").split()))}
        say(" ".join(["info", *(f"{name} {value}" for name, value in values.items() if value)]))


def say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit("expected the command of a program, as in hub.py ./scan hub")
    lines, engine = queue.Queue(), Engine(sys.argv[1:])
    for source, stream in (("referee", sys.stdin), ("program", engine.program.stdout)):
        threading.Thread(target=read_lines, args=(source, stream, lines), daemon=True).start()
    while True:
        source, line = engine.next_late() or lines.get()
        if line is None and source == "program":
            sys.exit(f"{sys.argv[1]} exited with status {engine.program.wait()}")
        try:
            {"referee": engine.carry_out, "program": engine.hear}[source](line)
        except ValueError as error:
            say(f"info error {error}")
        except BrokenPipeError:
            pass  # the end of its output follows


main()
