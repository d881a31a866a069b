"""A strict Othello program of the NBoard protocol: any line that the protocol does not allow ends it. It plays the first
legal move. The argument is the path of `othello.py`, whose rules it uses."""
import re
import sys

rules = {}
exec(open(sys.argv[1]).read().split("session = Session()")[0], rules)
READ, position, depth = rules["Position"].read, None, None


def expect(is_right, line):
    if not is_right:
        sys.exit(f"not allowed: {line}")


for number, line in enumerate(sys.stdin):
    words = line.split()
    expect(line.endswith("\n") and (number > 0) == (line != "nboard 2\n"), line)
    if words[0] == "nboard":
        print("set myname Strict")
    elif words[:2] == ["set", "depth"]:
        depth = int(words[2])
    elif words[:2] == ["set", "game"]:
        match = re.fullmatch(r"set game \(;GM\[Othello\](?:[A-Z]{2}\[[^]]*\])*?BO\[8 ([-*O]{64}) ([*O])\]((?:[BW]\[[A-Z0-9]{2}\])*);\)\n", line)
        expect(match, line)
        rows = "/".join(match[1][i:i + 8] for i in range(0, 64, 8)).replace("*", "b").replace("O", "w")
        position = READ(re.sub("-+", lambda run: str(len(run[0])), rows) + (" b" if match[2] == "*" else " w"), 8)
        for side, code in re.findall(r"([BW])\[(..)\]", match[3]):
            expect("BW"[position.turn - 1] == side, line)
            position = position.play("pass" if code == "PA" else code.lower())
    elif words[0] == "ping":
        print(f"pong {words[1]}")
    elif words == ["go"]:
        expect(depth and position and position.moves, line)
        code = "PA" if position.moves[0] == "pass" else position.moves[0].upper()
        print(f"status thinking\nsearch {code} -1.50 0 {depth} text\nnodestats 10 0.00\n=== {code}/-1.50/0.01")
    else:
        expect(False, line)
    sys.stdout.flush()
