"""An engine that does the one thing wrong that its argument names."""

import os
import signal
import subprocess
import sys
import time

fault = sys.argv[1]


def say(*lines: str) -> None:
    for line in lines:
        print(line)
    sys.stdout.flush()


def hang() -> None:
    while True:
        time.sleep(60)


if fault == "child":
    # Its output stays open after the engine's end.
    child = subprocess.Popen(["sleep", "1000"])
    fault = "deaf"
    name = str(child.pid)
else:
    name = "Hostile"
if fault == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if fault == "nonsense":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n\n" + b"x" * (3 << 20) + b"\nbestmove\nbestmove a b c\ninfo depth\r\n")
        sys.stdout.buffer.write(b"readyokay\nresponsex\noption\noption name A type\ninfo depth x\nid\ninfo score cp\n")
        sys.stdout.flush()
    if word == "ugi":
        if fault == "dies-in-handshake":
            sys.exit(3)
        if fault == "silent-in-handshake":
            hang()
        say(f"id name {name}", "id author nobody", "option name Size type spin default 3 min 3 max 9", "ugiok")
        if fault == "closes-output":
            os.close(1)
            hang()
        if fault == "closes-input":
            os.close(0)
            hang()
    elif word == "isready":
        if fault == "silent":
            hang()
        say("readyok")
    elif word == "go":
        if fault == "dies-in-search":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "silent-in-search":
            hang()
        if fault == "floods":
            while True:
                say("info depth 1")
        if fault == "two-bestmoves":
            say("bestmove b2", "bestmove c3")
        elif "infinite" not in line:
            say("info depth 1 score cp 5 nodes 7 pv a1", "bestmove a1")
    elif word == "stop":
        say("bestmove a1")
    elif word == "query":
        say("response" if fault == "empty" else "response maybe")
    elif word == "quit" and fault != "deaf":
        break
if fault == "deaf":
    hang()
