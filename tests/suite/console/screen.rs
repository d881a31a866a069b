//! Boards on screens of 80 x 24 and 60 x 20, for all five games.

use super::pty::Terminal;
use crate::support::{Folder, has};

const SCREENS: [(usize, usize); 2] = [(80, 24), (60, 20)];

const GAMES: [&str; 9] = [
    "graph-hockey:Side=4",
    "graph-hockey:Side=1,Gap=1",
    "gobblet",
    "gobblet:Size=4",
    "susan",
    "susan:Size=8",
    "projex",
    "projex:Size=14",
    "entropy",
];

/// The lines of the last board before a prompt, between two empty lines of the output.
fn board(output: &str) -> Vec<&str> {
    let output = output.trim_end_matches(|c| c != '\n');
    let lines: Vec<&str> = output
        .lines()
        .map(|line| line.trim_end_matches('\r'))
        .collect();
    let end = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    let start = lines
        .iter()
        .position(|line| line.is_empty())
        .expect("an empty line");
    lines[start + 1..end].to_vec()
}

/// Checks that a board fits together with one line above, one below and the prompt.
fn check_board(game: &str, board: &[&str], (columns, lines): (usize, usize)) {
    let text = board.join("\n");
    assert!(
        board.len() + 3 <= lines,
        "{game} on {columns}x{lines}:\n{text}"
    );
    let is_narrow = |line: &&str| line.chars().count() <= columns;
    assert!(
        board.iter().all(is_narrow),
        "{game} on {columns}x{lines}:\n{text}"
    );
    if game == "graph-hockey:Side=4" {
        // The panel next to the field is 26 columns wide, and shows the puck differently.
        let field = board
            .iter()
            .map(|line| line.chars().take(columns - 26).collect::<String>());
        let has_puck = field.into_iter().any(|line| line.contains('*'));
        assert!(has_puck, "{game} on {columns}x{lines}:\n{text}");
    }
}

#[test]
fn every_board_fits_the_screen() {
    let folder = Folder::new("screen-boards");
    for size in SCREENS {
        for (number, game) in GAMES.into_iter().enumerate() {
            let ledger = format!("l{number}-{}", size.0);
            let words = format!("play {game} --p2 human --ascii --ledger {ledger}");
            let mut terminal = Terminal::dumb(&folder, &words, size);
            let (seen, _) = terminal.finds(r"1\. \w+> ");
            check_board(game, &board(&seen), size);
            terminal.types("moves");
            terminal.finds(r"\d+ moves:\s");
            let (list, _) = terminal.finds(r"1\. \w+> ");
            let first = list.split_whitespace().next().expect("a move");
            terminal.types(first);
            let (seen, _) = terminal.finds(r"2\. \w+> ");
            check_board(game, &board(&seen), size);
            terminal.types("quit");
            terminal.leaves();
        }
    }
}

#[test]
fn the_whole_board_is_drawn_on_request() {
    let folder = Folder::new("screen-all");
    let words = "play graph-hockey:Side=4 --p2 human --ascii";
    let mut terminal = Terminal::dumb(&folder, words, (80, 24));
    terminal.talk("=> The board does not fit: board all shows the whole board. | 1. p1>");
    for (typed, n_lines) in [
        ("board all", 51..=51),
        ("board 60x20", 1..=16),
        ("board fit", 20..=20),
    ] {
        terminal.types(typed);
        let seen = terminal.sees("1. p1> ");
        assert!(n_lines.contains(&board(&seen).len()), "{seen}");
    }
    terminal.types("board 60x");
    terminal
        .sees("board: \"60x\": type one of plain, ascii, all, fit, or the size of a screen such");
    terminal.sees("as 80x24");
    terminal.quits();
}

#[test]
fn a_pipe_draws_all_unless_it_is_told_a_size() {
    let folder = Folder::new("screen-pipe");
    let lines = |variables: &str| {
        let line = format!(
            "printf 'B\\n' | env -u COLUMNS -u LINES {variables} LINESMAN play graph-hockey:Side=4 --p2 human --ascii"
        );
        let run = folder.shell(&line).exits(0);
        let out = run.stdout.join("\n");
        let start = out.rfind("1. p1> B").expect("the move");
        board(&out[start..out.rfind("2. p2> ").expect("the prompt")]).len()
    };
    assert_eq!(lines(""), 52);
    assert_eq!(lines("COLUMNS=80"), 52);
    assert_eq!(lines("COLUMNS=80 LINES=24"), 20);
}

#[test]
fn marks_are_left_out_and_set_again() {
    let folder = Folder::new("screen-marks");
    let words = "play graph-hockey:Side=1,Gap=1 --p2 human --ascii";
    let mut terminal = Terminal::dumb(&folder, words, (80, 24));
    let mut after = |typed: &str| {
        terminal.sees("1. p1> ");
        terminal.types(typed);
        terminal.sees("bottom goal");
    };
    for typed in ["mark none", "mark g", "mark all", "mark"] {
        after(typed);
    }
    terminal.talk("=> 1. p1> / mark none");
    let seen = terminal.sees("1. p1> ");
    let is_capital = |c: char| c.is_ascii_uppercase();
    let key = board(&seen).join("\n");
    assert!(!key.contains(is_capital), "{key}");
    has(&key, "f g h j");
    terminal.types("mark g");
    let seen = terminal.sees("1. p1> ");
    let key = board(&seen).join("\n");
    let capitals: String = key.matches(is_capital).collect();
    assert_eq!(capitals, "G", "{key}");
    terminal.types("mark all");
    let seen = terminal.sees("1. p1> ");
    has(&board(&seen).join("\n"), "F G H J");
    terminal.talk("mark x => mark:");
    terminal.quits();
}

/// The page's transcripts, typed again: those that begin with a screen size, and that of `setup`.
#[test]
fn the_page_shows_what_a_screen_shows() {
    const START: &str = "$ stty columns 80 rows 24; linesman ";
    let page = include_str!("../../../spec/play.md");
    let folder = Folder::new("screen-page");
    let blocks = page.split("```text\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().expect("its end"));
    let mut n_transcripts = 0;
    for block in blocks {
        let (words, expected) = match block.strip_prefix(START) {
            Some(rest) => rest.split_once('\n').expect("a first line"),
            None if block.starts_with("1. O> setup\n") => ("play entropy --p2 human", block),
            None => continue,
        };
        let mut terminal = Terminal::dumb(&folder, words, (80, 24));
        let mut seen = String::new();
        for line in expected.lines() {
            let prompts = ["setup", "O or S"];
            let is_prompt = |prompt: &str| {
                prompt.starts_with(|c: char| c.is_ascii_digit()) || prompts.contains(&prompt)
            };
            if let Some((prompt, typed)) = line.split_once("> ").filter(|(it, _)| is_prompt(it)) {
                seen += &terminal.sees(&format!("{prompt}> "));
                // The test's terminal does not echo.
                seen += &format!("{prompt}> {typed}\n");
                terminal.types(typed);
            }
        }
        let is_part = words == "play entropy --p2 human";
        seen += &match is_part {
            true => terminal.quits(),
            false => terminal.leaves(),
        };
        let seen = seen.replace('\r', "");
        match is_part {
            true => has(&seen, expected),
            false => assert_eq!(seen, expected),
        }
        n_transcripts += 1;
    }
    assert!(n_transcripts >= 3, "{n_transcripts}");
}
