//! Pasted figures and moves: at terminals with and without bracketed paste, through a pipe, and from a file.

use laws::testing::sample;

use super::pty::Terminal;
use crate::figures::{FIGURES, text};
use crate::support::{Folder, has};

/// A text as a terminal with bracketed paste sends it.
fn bracketed(text: &str) -> String {
    format!("\x1b[200~{}\x1b[201~", unmarked(text))
}

/// A text as a terminal without bracketed paste sends it: line breaks are carriage returns.
fn unmarked(text: &str) -> String {
    text.replace('\n', "\r")
}

/// Pastes a figure at `setup>`, and answers the question of the side to move.
fn paste(name: &str, game: &str, expected: &[&str], send: fn(&str) -> String) {
    let folder = Folder::new(&format!("paste-{name}"));
    let mut terminal = Terminal::new(&folder, &format!("play {game} --p2 human"));
    terminal.talk("=> 1. / setup => setup>");
    terminal.presses(&send(&text(name)));
    terminal.talk(&match expected {
        [_, second] => format!("=> O or S> / s => read: {second} (S to move)"),
        _ => format!("=> read: {} (", expected[0]),
    });
    terminal.quits();
}

/// A terminal that does not mark a paste needs an empty line at the end of the board.
#[test]
fn every_figure_is_pasted_at_a_terminal() {
    for (name, game, expected) in FIGURES {
        paste(name, game, expected, bracketed);
        paste(name, game, expected, |text| unmarked(&format!("{text}\n")));
    }
}

/// In a script the side to move follows the board, or the figure is refused with the words to add.
#[test]
fn every_figure_goes_through_a_pipe_and_comes_from_a_file() {
    for (name, game, expected) in FIGURES {
        let folder = Folder::new(&format!("pipe-{name}"));
        let (text, last) = (text(name), expected.len() - 1);
        let added = ["", "S to move\n"][last];
        folder.write("file", format!("{text}{added}"));
        folder.write("script", format!("setup\n{text}{added}"));
        for line in [
            format!("LINESMAN play {game} --p2 human < script"),
            format!("echo load file | LINESMAN play {game} --p2 human"),
        ] {
            let done = folder.shell(&line).exits(0);
            done.shows(1, format!("read: {} (", expected[last]));
        }
    }
    let folder = Folder::new("pipe-untold");
    let script = format!("setup\n{}played\n", text("entropy-5"));
    folder.write("script", script);
    let done = folder
        .shell("LINESMAN play entropy --p2 human --strict < script")
        .exits(4);
    let shown = done.stdout.join(" ");
    for part in [
        "Add the line `O to move` or `S to move` below it; the game is unchanged",
        "no moves yet",
    ] {
        has(&shown, part);
    }
}

#[test]
fn a_list_of_moves_is_pasted() {
    for send in [bracketed, unmarked] {
        let folder = Folder::new("paste-moves");
        let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger l");
        terminal.sees("1. x> ");
        terminal.presses(&send("e5\nb2\n\nc3\n"));
        terminal.sees("4. o> ");
        terminal.hangs_up();
        // Against an engine, each move waits for its turn. With this seed the engine leaves these squares empty.
        let words = "play susan --p1 'builtin option.Seed=1' --p2 human --level 0";
        let mut terminal = Terminal::new(&folder, words);
        terminal.sees("2. o> ");
        terminal.presses(&send("a1\ni1\n"));
        terminal.sees("6. o> ");
        terminal.hangs_up();
    }
}

/// A list of moves that one person makes is played completely or not at all.
#[test]
fn a_pasted_list_with_an_illegal_move_is_refused_as_a_whole() {
    let mut terminal = Terminal::alone("play susan --p2 human --ledger l");
    terminal.sees("1. x> ");
    terminal.presses(&bracketed("e5\nb2\ne5\n"));
    terminal.talk("=> e5: e5 holds your own stone | 1. x>");
    terminal.hangs_up();
}

#[test]
fn a_paste_without_a_line_break_is_edited() {
    let mut terminal = Terminal::alone("play susan --p2 human");
    terminal.sees("1. x> ");
    terminal.presses(&bracketed("e6"));
    terminal.presses("\x7f5\r");
    terminal.sees("2. o> ");
    terminal.hangs_up();
}

#[test]
fn a_board_that_is_pasted_without_setup_is_kept_for_it() {
    let mut terminal = Terminal::alone("play entropy --p2 human");
    terminal.sees("1. O> ");
    terminal.presses(&bracketed(&format!("{}O to move\n", text("entropy-4"))));
    terminal.talk(
        "=> The text contains a board: setup starts a game from it | 1. O>
        setup => read: sosos/1s3/o1o1o/2s2/soso1 o 0 (O to move)",
    );
    terminal.hangs_up();
}

/// Bracketed paste is on while a line is edited, and off while the program does not read.
#[test]
fn bracketed_paste_is_switched_off() {
    let folder = Folder::new("paste-mode");
    let ends_off = |seen: &str| {
        let (on, off) = (seen.rfind("\x1b[?2004h"), seen.rfind("\x1b[?2004l"));
        off.is_some() && off > on
    };
    let start = |ledger: &str| {
        let words = format!("play susan --p2 human --ledger {ledger}");
        let mut terminal = Terminal::raw(&folder, &words, "1");
        let seen = terminal.sees("1. x> ");
        has(&seen, "\x1b[?2004h");
        terminal
    };
    let mut terminal = start("quit");
    terminal.types("quit");
    assert!(ends_off(&terminal.leaves()));
    let mut terminal = start("signal");
    terminal.terminates();
    assert!(ends_off(&terminal.leaves()));
    let mut terminal = start("suspended");
    terminal.controls('z');
    terminal.sees("\x1b[?2004l");
    terminal.continues();
    terminal.sees("\x1b[?2004h");
    terminal.controls('d');
    assert!(ends_off(&terminal.leaves()));
}

/// Ctrl-C leaves `setup` only, at any of its questions.
#[test]
fn an_interrupt_leaves_setup() {
    let mut terminal = Terminal::alone("play entropy --p2 human");
    terminal.sees("1. O> ");
    for (rows, prompt, said) in [
        ("", "setup> ", "setup cancelled; the game is unchanged"),
        (
            "S S S S S\r",
            "setup> ",
            "setup cancelled; the game is unchanged",
        ),
        (
            &unmarked(&format!("{}\n", text("entropy-5"))),
            "O or S> ",
            "setup cancelled",
        ),
    ] {
        terminal.types("setup");
        terminal.sees("setup> ");
        terminal.presses(rows);
        if !rows.is_empty() {
            terminal.sees(prompt);
        }
        terminal.controls('c');
        terminal.sees(said);
        terminal.sees("1. O> ");
    }
    terminal.talk("a2-d2 => 2. S>");
    terminal.hangs_up();
}

/// Keys typed before their prompt are kept, including Ctrl-C and Ctrl-Z.
#[test]
fn what_is_typed_ahead_is_kept() {
    let mut terminal = Terminal::alone("play susan --p2 human");
    terminal.sees("1. x> ");
    terminal.presses("e5\rsetup\rsetup\r\x03d4\rsetup\rsetup\r\x03e");
    let said = "setup cancelled; the game is unchanged";
    terminal.talk(&format!("=> {said} | {said} | 3. x> / 4 => 4. o>"));
    terminal.quits();
}

#[test]
fn a_stopped_program_goes_on_with_what_was_typed() {
    let folder = Folder::new("paste-stopped");
    let mut terminal = Terminal::continued(&folder, "play susan --p2 human", (80, 24));
    terminal.sees("1. x> ");
    terminal.presses("e");
    terminal.talk("^z => Stopped | 1. x> e / 5 => 2. o>");
    terminal.quits();
}

#[test]
fn hostile_pastes_cost_little_and_lose_nothing() {
    let folder = Folder::new("paste-hostile");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger l");
    terminal.talk("=> 1. x> / e5 => 2. o>");
    // A long text, without line breaks and with many.
    let long = "x".repeat(1 << 20);
    terminal.presses(&bracketed(&long));
    terminal.sees("More than 262144 bytes were pasted, and all are ignored: paste fewer.");
    terminal.presses(&bracketed(&"b2\n".repeat(2000)));
    terminal.talk(
        "=> 2000 lines were pasted, and all are ignored: paste at most 1000 at once. | 2. o>
        setup => type setup again / setup => setup>",
    );
    terminal.presses(&bracketed(&"hello there\n".repeat(20_000)));
    terminal.talk("=> setup: more than 65536 bytes pasted; the game is unchanged | 2. o>");
    // Garbage, and markers without a paste.
    terminal.presses("\x1b[200~\x1b[200~\x01\x02\x1b[A\x7f\r\x1b[201~\x1b[201~");
    terminal.presses(&bracketed("\u{202e}\u{0}\n\u{feff}"));
    terminal.presses("\r");
    terminal.talk("a1 => 3. x>");
    terminal.hangs_up();
    assert_eq!(
        folder.read("l").matches("{\"journal\":{\"move\"").count(),
        2
    );
}

/// Bytes that are not text end the paste; the game continues.
#[test]
fn a_binary_paste_is_cut_off() {
    let mut terminal = Terminal::alone("play susan --p2 human");
    terminal.sees("1. x> ");
    terminal.sends(b"\x1b[200~e5\xff\xfe\x80 zz\x1b[201~\r");
    terminal.types("");
    terminal.talk("=> expected / e5");
    terminal.quits();
}

/// After the beginning of a paste everything is a part of it, Ctrl-C too, if the terminal has lost its end. A person can
/// type the end.
#[test]
fn a_paste_without_its_end_can_be_broken_off() {
    let mut terminal = Terminal::alone("play susan --p2 human");
    terminal.sees("1. x> ");
    for keys in ["\x1b[200~e5", "\x03", "\x1b", "[201~", "\r"] {
        terminal.presses(keys);
    }
    terminal.sees("2. o> ");
    terminal.quits();
}

#[test]
fn megabytes_go_through_a_pipe() {
    let folder = Folder::new("pipe-hostile");
    let n_bytes = sample(10_000_000);
    let line = format!(
        "(echo setup; yes $(printf 'S.%.0s' $(seq 500)) | head -c {n_bytes}; echo; echo e5) | \
         LINESMAN play susan --p2 human --ledger l | tail -n 3"
    );
    let done = folder.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        folder.read("l").matches("{\"journal\":{\"move\"").count(),
        1
    );
}
