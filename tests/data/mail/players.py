"""Two mailboxes play a whole game through a club, with messages as mail programs write them.

players.py PROGRAM GAME MOVE...: in the current folder, with one process of linesman-club per message. Exits with status 1 and
the reason if a letter is missing or has the wrong content.
"""

import email
import email.policy
import os
import subprocess
import sys
from email.message import EmailMessage

PROGRAM, GAME, *MOVES = sys.argv[1:]
SEEN = set()
CLUB = "club@example.org"


def run(*args, message=None):
    done = subprocess.run([PROGRAM, *args], input=message, capture_output=True, check=False)
    assert done.returncode == 0 and not done.stderr, (args, done)
    return done.stdout.decode()


def deliver(message):
    """Delivers a message twice; the second delivery must have no effect. Returns the resulting letters by address."""
    raw = message if isinstance(message, bytes) else message.as_bytes(policy=email.policy.SMTP)
    for _ in range(2):
        run("mail", "--store", "club.db", "--out", "out", message=raw)
    new = sorted(set(os.listdir("out")) - SEEN)
    SEEN.update(new)
    letters = {}
    for name in new:
        with open(os.path.join("out", name), "rb") as file:
            raw = file.read()
        assert raw.isascii() and all(len(line) <= 78 for line in raw.split(b"\n")), raw
        letter = email.message_from_bytes(raw, policy=email.policy.default)
        assert letter["to"] not in letters, ("two letters", new)
        letters[str(letter["to"]).strip("<>")] = letter
    return letters


def text(letter):
    return letter.get_content()


def token(letter):
    return next(line.split()[1] for line in text(letter).splitlines() if line.startswith("Token: "))


def new_message(name, subject):
    message = EmailMessage()
    message["From"] = f"{name.title()} <{name}@example.org>"
    message["To"] = CLUB
    message["Subject"] = subject
    message["Message-ID"] = email.utils.make_msgid(domain="players.example.org")
    return message


def answer_to(name, letter):
    message = new_message(name, "Re: " + letter["subject"])
    message["In-Reply-To"] = letter["message-id"]
    message["References"] = ((letter["references"] or "") + " " + letter["message-id"]).strip()
    return message


def quoted(letter, width=None):
    lines = text(letter).splitlines()
    if width:
        lines = [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)]
    return "\n".join("> " + line for line in lines)


def above(name, letter, move, number):
    message = answer_to(name, letter)
    message.set_content(f"{move}\n\nOn Sunday, Linesman wrote:\n{quoted(letter)}\n")
    return message


def below(name, letter, move, number):
    message = answer_to(name, letter)
    message.set_content(f"On Sunday, 22 November,\nLinesman <{CLUB}> wrote:\n{quoted(letter)}\n\n{move}\n\n-- \n{name}\n")
    return message


def refolded(name, letter, move, number):
    message = answer_to(name, letter)
    message.set_content(f"{move}\n\n{quoted(letter, 30)}\n")
    return message


def base64_utf8(name, letter, move, number):
    message = answer_to(name, letter)
    message.set_content(f"{move}\n\nGr\u00fc\u00dfe, \u2603\n", cte="base64")
    return message


def latin1(name, letter, move, number):
    message = answer_to(name, letter)
    message.set_content(f"{move}\n\nGr\u00fc\u00dfe!\n", charset="iso-8859-1", cte="quoted-printable")
    return message


def eight_bit(name, letter, move, number):
    message = answer_to(name, letter)
    shown = move.replace("->", "\u00a0\u2192\u00a0")
    message.set_content(f"{shown}\n\nGr\u00fc\u00dfe\n", cte="8bit")
    return message


def html(name, letter, move, number):
    message = answer_to(name, letter)
    shown = move.replace(">", "&gt;")
    message.set_content(f"<html><head><style>p {{}}</style></head><body><p>{shown}</p><p>Bye</p></body></html>", subtype="html")
    return message


def both(name, letter, move, number):
    message = above(name, letter, move, number)
    message.add_alternative("<p>This part is not read.</p>", subtype="html")
    message.add_attachment(b"resign\n", maintype="text", subtype="plain", filename="note.txt")
    return message


def numbered(name, letter, move, number):
    message = answer_to(name, letter)
    message.set_content(f"\n\n{number}. {move}\n")
    return message


def as_command(name, letter, move, number):
    message = new_message(name, f"{GAME.split(':')[0]} move 1 {name} {token(letter)} {move}#{number}")
    message.set_content("")
    return message


def in_the_text(name, letter, move, number):
    message = new_message(name, "my move")
    message.set_content(f"move 1 {name} {token(letter)} {move}\n\nSee you!\n")
    return message


FORMS = [above, below, refolded, base64_utf8, latin1, eight_bit, html, both, numbered, as_command, in_the_text]


def main():
    run("create", "--store", "club.db", "--address", CLUB, "--host", "host@example.org")
    account = {}
    for name in ["ann", "bob"]:
        message = new_message(name, f"signup {name}")
        message.set_content("")
        account[name] = deliver(message)[f"{name}@example.org"]
    message = answer_to("bob", account["bob"])
    message.set_content("whoami\n")
    deliver(message)
    message = answer_to("ann", account["ann"])
    message.set_content(f"challenge {GAME} bob\n")
    letters = deliver(message)
    message = answer_to("bob", letters["bob@example.org"])
    message.set_content("accept\n")
    letters = deliver(message)
    for number, move in enumerate(MOVES, 1):
        name = ["ann", "bob"][(number - 1) % 2]
        letter = letters[f"{name}@example.org"]
        assert f"Move {number} is for {name}" in text(letter).replace("\n", " "), (number, text(letter))
        form = FORMS[number % len(FORMS)]
        letters = deliver(form(name, letter, move, number))
        assert len(letters) == 2, (form.__name__, move, {to: text(letter) for to, letter in letters.items()})
        for letter in letters.values():
            assert f"{number}. {move}" in text(letter), (form.__name__, number, move, text(letter))
    for letter in letters.values():
        assert "The game is over: " in text(letter), text(letter)
    print(len(MOVES))


main()
