//! `linesman show`: finished, unfinished and saved games, as text and interactively.

use rustix::process::{Pid, Signal, kill_process};

use crate::console::Terminal;
use crate::support::{Done, Folder, has};

/// A folder with a game of Gobblet that red wins, as a ledger `l` and as PGN `p`.
fn won(test: &str) -> Folder {
    let folder = Folder::new(test);
    plays(
        &folder,
        "gobblet --p1 'human name=Ann' --p2 'human name=Bob' --ledger l --pgn p",
        "3@b2 1@a1 3@a3 1@b1 2@c1",
    );
    folder
}

fn plays(folder: &Folder, words: &str, lines: &str) {
    let script = lines.replace(' ', "\n") + "\n";
    std::fs::write(folder.path("script"), script).expect("a script");
    folder
        .shell(&format!("LINESMAN play {words} < script"))
        .exits(0);
}

fn shows(folder: &Folder, words: &str) -> Done {
    folder.linesman(&format!("show {words}")).exits(0)
}

#[test]
fn the_sides_and_the_end_are_told_in_the_words_of_the_board() {
    let folder = won("show-names");
    for file in ["l", "p"] {
        let done = shows(&folder, file);
        has(&done.stdout[0], ": Ann vs Bob, 20");
        done.shows(1, "2. yellow (Bob): 1@a1");
        let end = "Finished game 1 (Ann vs Bob): 1-0 {red wins: line c1 b2 a3}";
        assert_eq!(done.stdout.last().map(String::as_str), Some(end));
        let n_boards = done
            .stdout
            .iter()
            .filter(|line| line.starts_with("3 |"))
            .count();
        assert_eq!(n_boards, 6);
    }
}

#[test]
fn the_reason_of_a_pgn_result_is_told() {
    let folder = Folder::new("show-reason");
    plays(
        &folder,
        "susan --p2 human --ledger l --pgn p",
        "e5 b2 resign",
    );
    for file in ["l", "p"] {
        let done = shows(&folder, file);
        let end = "Finished game 1 (human vs human #2): 0-1 {x resigns}";
        assert_eq!(done.stdout.last().map(String::as_str), Some(end));
    }
}

#[test]
fn unfinished_and_saved_games_are_shown() {
    let folder = Folder::new("show-unfinished");
    plays(
        &folder,
        "susan --p2 human --ledger l",
        "e5 resign undo e5 b2 c3",
    );
    let done = shows(&folder, "l 2");
    let end = "Unfinished game 2 (human vs human #2): *";
    assert_eq!(done.stdout.last().map(String::as_str), Some(end));
    done.shows(1, "3. x (human): c3");
    assert_eq!(shows(&folder, "l 1").lines("Finished game 1 ").len(), 1);
    folder.linesman("show l 3").exits(2);
    // `stats` ignores an unfinished game.
    let stats = folder.linesman("stats l").done();
    assert!(
        stats
            .stdout
            .iter()
            .any(|line| line.starts_with("human vs human #2: +1 =0 -0")),
        "{:?}",
        stats.stdout
    );
    std::fs::write(folder.path("script"), "save s\n").expect("a script");
    folder.shell("LINESMAN play --continue l < script").exits(0);
    let done = shows(&folder, "s --moves");
    done.shows(1, "Unfinished game 1 ");
    folder.linesman("analyse s --nodes 50").exits(0);
}

#[test]
fn a_part_of_a_game_and_its_moves_alone() {
    let folder = won("show-part");
    let done = shows(&folder, "l --from 4");
    let moves: Vec<&str> = ["3. ", "4. ", "5. "]
        .iter()
        .flat_map(|number| done.lines(number))
        .collect();
    assert_eq!(moves.len(), 3, "{:?}", done.stdout);
    done.shows(0, "2. ");
    let n_boards = done
        .stdout
        .iter()
        .filter(|line| line.starts_with("3 |"))
        .count();
    assert_eq!(n_boards, 3);
    let done = shows(&folder, "l --moves");
    done.shows(0, "3 |");
    done.shows(1, "1. red (Ann): 3@b2  {0.");
    let done = shows(&folder, "l --moves --from 5");
    assert!(done.lines("4. ").is_empty() && done.lines("5. ").len() == 1);
    let done = folder.linesman("show l --from 6").exits(2);
    let why = "error: --from 6: expected 1 to 5, the moves of game 1 of l\n";
    assert_eq!(done.stderr, why);
}

#[test]
fn a_game_with_very_many_lines_is_shown_by_its_moves_and_its_last_board() {
    let folder = Folder::new("show-many");
    let line = "match graph-hockey --games 1 --each nodes=1 --max-plies 40 --ledger l --seed 3";
    folder.linesman(line).exits(0);
    let done = shows(&folder, "l");
    assert!(done.stdout.len() < 80, "{} lines", done.stdout.len());
    done.shows(1, "1. ");
    done.shows(1, "40. p2 (");
    done.shows(1, "41 boards are too many to show: --from N");
    let whole = shows(&folder, "l --from 1");
    assert!(whole.stdout.len() > 1000, "{} lines", whole.stdout.len());
}

#[test]
fn blunders_that_an_analysis_has_found_are_shown() {
    let folder = won("show-annotated");
    folder
        .linesman("analyse p --nodes 2000 --pgn annotated")
        .exits(0);
    let done = shows(&folder, "annotated --moves");
    has(&done.stdout.join(" "), " costs ");
    done.shows(1, "5. red (Ann): 2@c1  {+M1}");
    assert!(
        done.stdout.iter().all(|line| line.chars().count() <= 78),
        "{:?}",
        done.stdout
    );
}

#[test]
fn a_locale_without_unicode_gets_7_bits() {
    let folder = Folder::new("show-locale");
    let line = "match graph-hockey:Side=2,Gap=2 --games 1 --each nodes=1 --max-plies 2 --ledger l";
    folder.linesman(line).exits(0);
    let is_ascii = |line: &str| {
        let done = folder.shell(line).exits(0);
        done.stdout.iter().all(|line| line.is_ascii())
    };
    for (locale, is_7_bit) in [
        ("LC_ALL=C", true),
        ("LC_ALL= LC_CTYPE=de_DE.ISO-8859-1 LANG=C.UTF-8", true),
        ("LC_ALL= LC_CTYPE= LANG=de_DE.UTF-8", false),
        ("LC_ALL= LC_CTYPE= LANG=", false),
    ] {
        let board =
            "printf 'board\\nq\\n:q\\n' | LINESMAN play graph-hockey:Side=2,Gap=2 --p2 human";
        for command in ["LINESMAN show l", board] {
            let line = format!("export {locale}; {command}");
            assert_eq!(is_ascii(&line), is_7_bit, "{line}");
        }
    }
}

#[test]
fn a_game_is_gone_through_key_by_key() {
    let folder = won("show-step");
    let mut terminal = Terminal::new(&folder, "show l --step");
    terminal.sees("0 of 5: Space on");
    terminal.presses(" ");
    terminal.sees("1. red (Ann): 3@b2");
    terminal.sees("1 of 5: Space on");
    terminal.presses("\x1b[C");
    terminal.sees("2. yellow (Bob): 1@a1");
    terminal.presses("b");
    terminal.sees("1 of 5: ");
    terminal.presses("G");
    terminal.sees("red wins: line c1 b2 a3");
    terminal.sees("5 of 5: ");
    terminal.presses("\x1b[H");
    terminal.sees("0 of 5: ");
    terminal.presses("\x1b");
    terminal.leaves();
    let mut terminal = Terminal::new(&folder, "show l --step --from 3");
    terminal.sees("2 of 5: ");
    terminal.controls('c');
    terminal.leaves();
    let done = folder.linesman("show l --step").exits(2);
    let why = "error: --step: no terminal: expected one at standard input and output\n";
    assert_eq!(done.stderr, why);
}

#[test]
fn another_size_of_the_terminal_is_shown_at_once() {
    let folder = won("show-resized");
    let mut terminal = Terminal::sized(&folder, "show l --step", (80, 8));
    terminal.sees("rows do not fit");
    Terminal::resize(&folder, (80, 24));
    terminal.sees("red to move");
    terminal.presses("q");
    terminal.leaves();
}

/// The terminal echoes and edits lines again, also after a signal.
#[test]
fn the_terminal_is_restored_after_the_last_key() {
    let folder = won("show-restored");
    for is_killed in [false, true] {
        let command = "stty -a > before; sh -c 'echo $$ > pid; exec LINESMAN show l --step'; \
                       stty -a > after; echo restored";
        let mut terminal = Terminal::shell(&folder, command);
        terminal.sees("0 of 5: ");
        if is_killed {
            let pid = folder.read("pid").trim().parse().ok();
            let pid = pid.and_then(Pid::from_raw).expect("a process");
            kill_process(pid, Signal::TERM).expect("it runs");
        } else {
            terminal.presses("q");
        }
        terminal.sees("restored");
        terminal.leaves();
        assert_eq!(folder.read("before"), folder.read("after"), "{is_killed}");
    }
}
