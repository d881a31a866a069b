"""A strict draughts program of the Hub protocol: any line that the protocol does not allow ends it. It plays the last
legal move, and logs what it reads to standard error. The argument is the path of `draughts.py`, whose rules it uses.

With the parameter `early`, it ends searches without a limit at once, as the protocol allows; without, at `stop` or
`ponder-hit`."""
import re
import sys

rules = {}
exec(open(sys.argv[1]).read().split("session = Session()")[0], rules)
PARAMS = {"early": "true|false", "threads": "[1-8]", "variant": "normal|killer", "book": ".*"}
VALUE = r'"[^"]*"|[\w.-]+'
REAL = r"[0-9]+(\.[0-9]+)?"
LEVEL = rf"level (depth=\d+|nodes=\d+|move-time={REAL}|(moves=\d+ )?time={REAL}( inc={REAL})?|infinite)\n"
position, has_level, is_ready, is_early = None, False, False, False


def expect(is_right, line):
    if not is_right:
        sys.exit(f"not allowed: {line}")


def read():
    line = sys.stdin.readline()
    sys.stderr.write(line)
    sys.stderr.flush()
    return line


def send(*lines):
    print(*lines, sep="\n", flush=True)


def read_position(text, moves, line):
    sides = {side: ",".join("K" * c.isupper() + str(n) for n, c in enumerate(text[1:], 1) if c.upper() == side) for side in "WB"}
    position = rules["Position"].read(f"{text[0]}:W{sides['W']}:B{sides['B']}".lower())
    for code in moves.split():
        # Only moves by kings without a capture are sent.
        expect(code in position.moves and "-" in code and position.board[int(code.split("-")[0])].isupper(), line)
        position = position.play(code)
    return position


def hub_code(code):
    """The captured squares in another order than that of `draughts.py`."""
    start, *rest = code.split("x")
    return "x".join([start, *rest[:1], *rest[:0:-1]])


def search(mode, line):
    expect(position and position.moves and has_level, line)
    move = hub_code(position.moves[-1])
    answers = position.play(position.moves[-1]).moves
    send(f'info depth=3 mean-depth=4.5 score=-1.50 nodes=1200 time=0.250 nps=4.8 pv="{move}"')
    while mode != "think" and not is_early:
        line = read()
        expect(line in ("ping\n", "stop\n") or line == "ponder-hit\n" and mode == "ponder", line)
        if line != "ping\n":
            break
        send("pong")
    send(f"done move={move}" + (f" ponder={hub_code(answers[0])}" if answers else ""))


expect(read() == "hub\n", "the first line")
send('id name=Strict version=2 author="No One" country=NL', "param name=early value=false type=bool",
     "param name=threads value=1 type=int min=1 max=8", "param name=variant value=normal type=enum values=\"normal killer\"",
     'param name=book value="" type=string', "unknown argument=3", "wait")
while line := read():
    command = line.split()[0]
    if match := re.fullmatch(rf"set-param name=(\w+) value=({VALUE})\n", line):
        value = match[2].strip('"')
        expect(not is_ready and match[1] in PARAMS and re.fullmatch(PARAMS[match[1]], value), line)
        is_early = value == "true" if match[1] == "early" else is_early
    elif command == "init":
        expect(line == "init\n" and not is_ready, line)
        is_ready = True
        send("reading weights", "ready")
    elif not is_ready:
        expect(False, line)
    elif match := re.fullmatch('pos pos=([WB][wbWBe]{50})( moves="([^"]+)")?\n', line):
        position, has_level = read_position(match[1], match[3] or "", line), False
    elif re.fullmatch(LEVEL, line):
        has_level = True
    elif match := re.fullmatch("go (think|ponder|analyze)\n", line):
        search(match[1], line)
        has_level = False
    elif line == "ping\n":
        send("pong")
    elif line == "quit\n":
        break
    else:
        expect(line in ("new-game\n", "stop\n", "ponder-hit\n"), line)
