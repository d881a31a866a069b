//! The option `Learn`: engines that learn from the games they play, in matches and at a table.

use std::fs;

use crate::console::pty::Terminal;
use crate::support::{Done, Folder, has};

/// Number of games that a weight file was learned from.
fn n_games(folder: &Folder, file: &str) -> u64 {
    let bytes = fs::read(folder.path(file)).expect("a file of weights");
    let count = bytes[20..28].try_into().expect("eight bytes");
    u64::from_le_bytes(count)
}

fn succeeded(done: &Done) {
    assert_eq!(done.status, Some(0), "{:?} {}", done.stdout, done.stderr);
}

/// A match of an engine that learns into the file `weights`.
fn learner(folder: &Folder, words: &str, more: &str) -> Done {
    let players = format!(
        "--engine builtin name=learner option.Learn=weights {words} --engine builtin name=other"
    );
    let rest = "--each nodes=40 --concurrency 1 --openings random:plies=2 --seed 3";
    let done = folder.linesman(&format!("match susan:Size=3 {players} {rest} {more}"));
    done.done()
}

#[test]
fn each_game_of_a_match_is_learned_from_the_last_one_too() {
    let folder = Folder::new("learn-match");
    succeeded(&learner(&folder, "", "--games 6 --ledger a.jsonl"));
    assert_eq!(n_games(&folder, "weights"), 6);
    succeeded(&learner(&folder, "ponder", "--games 4"));
    assert_eq!(n_games(&folder, "weights"), 10);
    succeeded(&learner(&folder, "restart=on", "--games 2"));
    assert_eq!(n_games(&folder, "weights"), 12);
    // A game that the referee adjudicates was not played to its end, so it is not learned from.
    succeeded(&learner(&folder, "", "--games 2 --max-plies 4"));
    assert_eq!(n_games(&folder, "weights"), 12);
}

/// The engine loses by resignation, learns from it, and the next start shows the game.
#[test]
fn a_table_shows_what_the_engine_learned() {
    let folder = Folder::new("learn-told");
    let line = "play susan:Size=3 --learn weights --st 0.01";
    let mut terminal = Terminal::new(&folder, line);
    terminal.sees("weights is new: the engine knows nothing yet");
    terminal.types("a1");
    terminal.sees("3. x> ");
    terminal.types("resign");
    terminal.sees("Type resign again");
    terminal.types("resign");
    terminal.sees("learned from game 1 (won): after a1");
    terminal.types("quit");
    terminal.leaves();
    let mut terminal = Terminal::new(&folder, line);
    terminal.sees("learned from 1 game since ");
    terminal.sees("its score: 100.0 % in games 1 to 1");
    terminal.types("quit");
    terminal.leaves();
    folder
        .linesman("play susan --learn none/weights")
        .fails(1, "--learn: none/weights.lock: No such file or directory");
}

/// On boards without a built-in network, too.
#[test]
fn games_with_a_network_learn() {
    let folder = Folder::new("learn-all");
    for game in [
        "susan:Size=3",
        "gobblet:Size=4",
        "gobblet:Size=3",
        "graph-hockey:Side=1,Gap=1",
    ] {
        let file = &game.replace(':', "-");
        let words =
            format!("lab learner train {file} --game {game} --games 2 --nodes 20 --level 0");
        succeeded(&folder.linesman(&words).done());
        assert_eq!(n_games(&folder, file), 2, "{game}");
        let line = format!(
            "printf 'go\\ngo\\nresign\\nquit\\n' | LINESMAN play {game} --learn {file} --st 0.01"
        );
        let done = folder.shell(&line).done();
        succeeded(&done);
        let told = format!("{file}: learned from 2 games since ");
        done.shows(1, &told);
        assert_eq!(n_games(&folder, file), 3, "{game}: {:?}", done.stdout);
    }
}

/// A file of the game in which version 0.2 learned these as well, too.
#[test]
fn games_without_a_network_do_not_learn() {
    let folder = Folder::new("learn-none");
    let train = "lab learner train susan --game susan:Size=3 --games 1 --nodes 20 --level 0";
    succeeded(&folder.linesman(train).done());
    let bytes = fs::read(folder.path("susan")).expect("a file of weights");
    for game in ["projex", "entropy"] {
        folder.write("old", with_board(&bytes, "susan Size=3", game));
        let why = format!(
            "{game} is played without a network, so its engine does not learn: choose one of "
        );
        for (words, named_by) in [
            (format!("play {game} --learn new"), "--learn"),
            (format!("play {game} --learn old"), "--learn"),
            (format!("lab learner train new --game {game}"), "new"),
            ("lab learner train old".to_owned(), "old"),
            ("lab learner old".to_owned(), "old"),
        ] {
            let done = folder.linesman(&words).exits(2);
            let why = format!("{named_by}: {why}");
            has(&done.stderr, &why);
        }
        assert!(!folder.has("new"));
        let words = format!("match {game} --engine builtin option.Learn=new --engine builtin");
        let done = folder.linesman(&words).done();
        assert_ne!(done.status, Some(0));
        has(&done.stderr, "Learn");
    }
}

/// The file of a learner with another board.
fn with_board(bytes: &[u8], board: &str, other: &str) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
    let board = text(board);
    let at = bytes.windows(board.len()).rposition(|part| part == board);
    let (before, rest) = bytes.split_at(at.expect("the board is in the file"));
    let rest = &rest[board.len()..rest.len() - 4];
    let mut bytes = [before, &text(other), rest].concat();
    bytes.extend(record::ledger::crc32(&bytes).to_le_bytes());
    bytes
}

/// A draw by agreement is half a point for the engine.
#[test]
fn a_draw_by_agreement_is_learned() {
    let folder = Folder::new("learn-draw");
    // An engine agrees after ten moves if it is not ahead. The stones are far apart, so the game does not end sooner.
    let cells = "c3 c5 c7 e3 e5 e7 e9 g3 g5 g7 g9 g11 i3 i5 i7 i9 k3 k5 k7 k9";
    let script: String = cells
        .split(' ')
        .map(|cell| format!("{cell}\\ndraw\\n"))
        .collect();
    let seat = "--p2 'builtin nodes=400' --learn weights";
    let line = format!("printf '{script}' | LINESMAN play susan:Size=8 {seat}");
    let done = folder.shell(&line).done();
    succeeded(&done);
    let over = done.lines("Game over: a draw, 1/2-1/2 {drawn by agreement}");
    assert_eq!(over.len(), 1, "{:?}", done.stdout);
    let done = folder.linesman("lab learner weights").done();
    let told = "its score: 50.0 % in games 1 to 1";
    assert!(done.stdout[1].ends_with(told), "{:?}", done.stdout);
}

/// The bar shows the games so far; Ctrl-C ends the training after the current game.
#[test]
fn training_shows_its_progress_and_can_be_interrupted() {
    let folder = Folder::new("learner-interrupted");
    let words = "lab learner train weights --game susan:Size=3 --games 100000 --nodes 20 --level 0";
    let mut terminal = Terminal::new(&folder, words);
    terminal.sees("  0% [");
    terminal.sees(" % in games 1 to ");
    terminal.controls('c');
    let (_, told) = terminal.finds(r"stopped after game \d+, which is kept");
    terminal.leaves_with(3);
    let number = told
        .split(' ')
        .nth(3)
        .and_then(|number| number.trim_end_matches(',').parse().ok());
    assert_eq!(Some(n_games(&folder, "weights")), number);
}
