//! The first steps of a newcomer: small screens, the level, typed commands on the screen of keys, and the end of a game.

use super::keys::{ENTER, ESCAPE, Player, UP};
use super::pty::Terminal;
use crate::support::{Folder, has, lacks};

const SIZE: (usize, usize) = (80, 24);

/// Messages make room for the board: the whole one if it fits, else a part of it.
#[test]
fn the_board_comes_first_on_a_small_screen() {
    let folder = Folder::new("newcomer-small");
    for (game, size, parts) in [
        (
            "susan",
            (40, 12),
            ["a     . . . . . 6", "i     . . . . . 6"],
        ),
        ("entropy", (40, 12), ["5     S", "      a     b     c"]),
        ("projex:Size=4", (40, 12), ["  1 . . .", "F"]),
        ("gobblet", (40, 12), ["2 |    |", "1 |    |"]),
        ("susan", (20, 5), ["d  . . .", "f  . . ."]),
        ("entropy", (20, 5), [" .     .", " O"]),
        ("graph-hockey:Side=4", (20, 5), ["*", "I"]),
    ] {
        let words = format!("play {game} --p2 human --ascii");
        let mut player = Player::painted(&folder, &words, size);
        player.sees("1. ");
        let shown = player.screen.text();
        for part in parts {
            has(&shown, part);
        }
        let n_board = shown
            .lines()
            .take(size.1 - 1)
            .filter(|line| !line.trim().is_empty());
        assert!(n_board.count() >= 2, "{game}: {shown}");
    }
    // A new message hides rows of the board until the next key.
    let mut player = Player::painted(&folder, "play susan --p2 human", (40, 12));
    player.sees("1. x> ").presses(&["z", "z", ENTER]);
    player.sees("zz: expected a cell").sees("1. x> ");
    lacks(&player.screen.text(), "i     . . . . . 6");
    player.presses(&[UP]).sees("i     . . . . . 6");
    let mut terminal = Terminal::sized(&folder, "play entropy --p2 human", (40, 12));
    let seen = terminal.sees("1. O> ");
    has(&seen, "5     S");
    lacks(&seen, "does not fit");
    terminal.quits();
}

#[test]
fn a_typed_command_is_carried_out_where_letters_mark_moves() {
    let folder = Folder::new("newcomer-rules");
    let words = "play graph-hockey:Side=4,Gap=8 --p2 human --ascii";
    let mut player = Player::painted(&folder, words, SIZE);
    player.sees("13 of 13").presses(&["r", "u", "l", "e", "s"]);
    player.sees("1. p1> rules");
    lacks(&player.screen.text(), "legal here");
    player.presses(&[ENTER]).sees("Space: continue");
    has(&player.screen.text(), "Graph Hockey (Robert Maas, 1970)");
    // The letters have left the marks as they were.
    player.presses(&[ESCAPE]).sees("13 of 13");
    player.presses(&["?"]).sees("Space: continue");
    let keys = player.screen.text();
    for line in [
        "The keys in Graph Hockey",
        "a letter            turns the mark of its move off or on",
        "Ctrl-L, Ctrl-J      FORM, LINE: ",
        "Ctrl-Z              stops the program",
        "Esc                 cancels",
    ] {
        has(&keys, line);
    }
    // A letter ends the answer. The first one that names no move begins a line with those before it.
    player.presses(&["p", "l", "a", "y", "e", "d", ENTER]);
    player.sees("no moves yet").sees("13 of 13");
    player.presses(&["l", "e", "v", "e", "l", " ", "3", ENTER]);
    player.sees("engines play at level 3").sees("13 of 13");
    player.presses(&["k", "u", "n"]).sees("1. p1> un");
    player.presses(&[ESCAPE]).sees("12 of 13");
    player.terminal.kills();
}

#[test]
fn prose_is_wrapped_by_paragraphs() {
    let folder = Folder::new("newcomer-prose");
    let mut terminal = Terminal::sized(&folder, "play susan --p2 human", (60, 24));
    terminal.sees("1. x> ");
    for (command, lines) in [
        (
            "rules",
            "Place a stone of yours on any empty cell, or slide\r\none of your stones to an empty cell next to it. You may not\r\npass.",
        ),
        (
            "? undo",
            "  Takes back your last move and an engine's reply to it; if\r\n  you play both sides, one move.",
        ),
    ] {
        terminal.types(command);
        terminal.sees(lines);
        terminal.sees("1. x> ");
    }
    terminal.quits();
}

/// Once a game has ended on time or by resignation, no side is to move, on the screen and in the records.
#[test]
fn nobody_is_to_move_after_the_end() {
    let folder = Folder::new("newcomer-end");
    for (game, ends, result) in [
        ("susan --tc 0.5", "", "o wins: x loses on time"),
        ("gobblet", "resign", "yellow wins: red resigns"),
        ("entropy", "resign", "S wins: O resigns"),
        ("graph-hockey:Side=4", "resign", "p2 wins: p1 resigns"),
    ] {
        let words = format!("play {game} --p2 human --ascii --ledger l-{}", &game[..3]);
        let mut player = Player::painted(&folder, &words, SIZE);
        player.sees("1. ");
        for _ in ends.lines() {
            player
                .presses(&[":resign", ENTER])
                .sees("Type resign again");
            player.presses(&[":resign", ENTER]);
        }
        player.sees("game over> ");
        let shown = player.screen.text();
        has(&shown, result);
        has(&shown, "new: again  review: the mistakes");
        lacks(&shown, " to move");
        lacks(&shown, ">p1<");
        player.presses(&[":quit", ENTER]);
        player.terminal.leaves();
        let done = folder.linesman(&format!("show l-{}", &game[..3])).exits(0);
        has(&done.stdout, result);
    }
}

#[test]
fn a_new_game_hides_what_was_said_before() {
    let folder = Folder::new("newcomer-new");
    let mut player = Player::painted(&folder, "play susan --p2 human --st 0.02", SIZE);
    player.talk("=> 1. x> / e 5 ENTER => 2. o>");
    player
        .presses(&[":resign", ENTER])
        .sees("Type resign again");
    player.presses(&[":resign", ENTER]).sees("game over> ");
    // An end that is taken back is not shown either.
    player
        .presses(&[":undo", ENTER])
        .sees("move 1 is next")
        .sees("1. x (back)> ");
    lacks(&player.screen.text(), "Game over");
    player.presses(&[":new", ENTER]).sees("type new again");
    player
        .presses(&[":new", ENTER])
        .sees("a new game")
        .sees("1. x> ");
    lacks(&player.screen.text(), "taken back");
    // Space turns pages and never plays; a stopped analysis is marked.
    player.talk("SPACE => Enter chooses on the board / = => for x, depth");
    player.presses(&["="]).sees("stopped analysis");
    // The spot that was just chosen is not also the goal.
    player.talk("e 5 ENTER => 2. o> / b 2 ENTER => 3. x> / ENTER => 3. x> from e5, x  arrows");
    player.terminal.kills();
}

#[test]
fn the_level_is_asked_for() {
    let folder = Folder::new("newcomer-level");
    let question = "Level, 0 (easy) to 20, or adaptive: it follows your results [adaptive]: ";
    for (words, answer, told) in [
        ("susan:Size=3", "", "level 3 (beginner, Elo "),
        ("susan:Size=3", "5", "level 5 (easy, Elo "),
        ("graph-hockey", "level 0", "level 0 (beginner, Elo "),
    ] {
        let words = format!("play {words} --st 0.02");
        let mut terminal = Terminal::new(&folder, &words);
        if words.contains("hockey") {
            for size in ["goals, in inches [4]: ", "[8]: "] {
                terminal.sees(size);
                terminal.types("");
            }
        }
        let wrong = "21: write a whole number from 0 to 20, or adaptive";
        terminal.talk(&format!("=> {question} / 21 => {wrong} | {question}"));
        terminal.types(answer);
        terminal.talk(&format!("=> {told} | 1. / resign / resign"));
        let hint = match answer {
            "5" => "new: again  level 4: easier  review: the mistakes",
            _ => "new: again  review: the mistakes",
        };
        terminal.sees(hint);
        terminal.quits();
    }
    // A script is not asked, nor is anyone who has chosen.
    let done = folder.shell("echo quit | LINESMAN play susan").exits(0);
    lacks(&done.stdout, "Level");
    for flag in ["--level 20", "--p2 builtin", "--p1 human"] {
        let mut terminal = Terminal::new(&folder, &format!("play susan {flag}"));
        lacks(&terminal.sees("1. x> "), "Level");
        terminal.hangs_up();
    }
}

/// The moves of a text are a game like any other: one can step through it and leave it for another move.
#[test]
fn a_game_that_was_read_is_stepped_through() {
    let folder = Folder::new("newcomer-step");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human");
    terminal.talk(
        "=> 1. x> / setup => setup> / 1. e5, b2; => setup> / 2. c3, d5 => setup>
        // The word is for the game that was read.
        back 3 => read: | after 4 moves | were taken back; move 2 is next | 2. o (back)>
        c4 => 3. x> / played => 1. e5 2. c4 / back => 2. o (back)> / forward => 2. c4 was played again
        setup => type setup again / setup => setup> / 1. e5 2. b2 => setup>",
    );
    terminal.types("");
    terminal.talk("=> then e5 b2 | 3. x>");
    terminal.quits();
    let script = "setup\\n1. e5, b2; 2. c3, d5\\nback 3\\nc4\\nplayed\\n";
    let line = format!("printf '{script}' | LINESMAN play susan --p2 human");
    let done = folder.shell(&line).exits(0);
    has(&done.stdout, "1. e5 2. c4");
}

/// Columns that are separated by tabs, as a table is copied, are read and repeated as blanks.
#[test]
fn a_figure_with_tabs_is_read() {
    let folder = Folder::new("newcomer-tabs");
    let rows = [
        "S O S O S <---5",
        ". S . . . <---4",
        "O . O . O <---3",
        ". . S . . <---2",
        "S O S O . <---1",
    ];
    let rows = rows.map(|row| row.replace(' ', "\t")).join("\n");
    let script = format!("setup\n{rows}\na\tb\tc\td\te\nO to move\n");
    folder.write("script", &script);
    let done = folder
        .shell("LINESMAN play entropy --p2 human < script")
        .exits(0);
    has(&done.stdout, "setup> S O S O S <---5");
    has(
        &done.stdout,
        "read: sosos/1s3/o1o1o/2s2/soso1 o 0 (O to move)",
    );
    let mut terminal = Terminal::new(&folder, "play entropy --p2 human");
    terminal.talk("=> 1. O> / setup => setup>");
    terminal.presses(&script.replace("setup\n", "").replace('\n', "\r"));
    terminal.sees("read: sosos/1s3/o1o1o/2s2/soso1 o 0 (O to move)");
    terminal.quits();
}
