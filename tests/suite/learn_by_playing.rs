//! The option `Learn`: engines that learn from the games they play, in matches and at a table.

use std::fs;

use crate::console::pty::Terminal;
use crate::support::{Done, Folder, begins, has};

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

#[test]
fn an_engine_that_learns_plays_one_game_at_a_time() {
    let folder = Folder::new("learn-concurrency");
    let players = "--engine builtin name=a option.Learn=weights --engine builtin name=b";
    let line = format!("match susan:Size=3 {players} --each nodes=40 --concurrency 2");
    let done = folder.linesman(&line).exits(2);
    let why =
        "--concurrency: 2 games at once with an engine that learns (option Learn): expected 1";
    has(&done.stderr, why);
    assert!(!folder.path("weights").exists());
}

#[test]
fn an_engine_that_cannot_learn_says_why_and_plays_on() {
    let folder = Folder::new("learn-refused");
    fs::write(folder.path("weights"), "nonsense").expect("written");
    let done = learner(&folder, "", "--games 2");
    succeeded(&done);
    let told = format!("{:?} {}", done.stdout, done.stderr);
    has(&told, "Learn: ");
    has(&told, "not a weights file of this version");
    assert_eq!(folder.read("weights"), "nonsense");
}

#[test]
fn an_engine_at_a_table_learns() {
    let folder = Folder::new("learn-play");
    let watched =
        "play susan:Size=3 --p1 none --p2 human --learn weights --st 0.01 --ledger g.jsonl";
    // `go` moves for the person; lines after the end of the game would be for the next game, which is not begun.
    let script = "for i in $(seq 30); do echo go; done; echo quit";
    folder
        .shell(&format!("({script}) | LINESMAN {watched}"))
        .exits(0);
    assert_eq!(n_games(&folder, "weights"), 1);
}

#[test]
fn a_damaged_file_is_refused_before_the_first_move() {
    let folder = Folder::new("learn-play-refused");
    fs::write(folder.path("weights"), "nonsense").expect("written");
    let done = folder
        .linesman("play susan:Size=3 --learn weights")
        .exits(1);
    let why = "--learn: ";
    has(&done.stderr, why);
    let why = "weights: not a weights file of this version";
    has(&done.stderr, why);
    assert_eq!(folder.read("weights"), "nonsense");
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
}

#[test]
fn a_learner_is_trained_and_its_record_shown() {
    let folder = Folder::new("learner");
    let done = folder
        .linesman("lab learner train weights --game susan:Size=3 --games 25 --nodes 20 --level 0")
        .done();
    succeeded(&done);
    begins(&done.stdout[0], "games 1 to 25: ");
    let done = folder
        .linesman("lab learner train weights --games 1 --nodes 20")
        .done();
    succeeded(&done);
    let done = folder
        .linesman("lab learner weights --every 13 --plot a.svg")
        .done();
    succeeded(&done);
    assert_eq!(done.stdout[0], "board: susan Size=3");
    begins(&done.stdout[1], "learned from 26 games since ");
    has(&folder.read("a.svg"), "Score of weights in each 13 games");
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
        fs::write(folder.path("old"), with_board(&bytes, "susan Size=3", game)).expect("written");
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
        assert!(!folder.path("new").exists());
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

#[test]
fn somebody_must_be_there_to_learn() {
    let folder = Folder::new("learn-nobody");
    let words = "play susan --p1 human --p2 human --learn weights";
    let done = folder.linesman(words).done();
    assert_ne!(done.status, Some(0), "{words}");
    let why = "--learn: no built-in engine plays here, so nothing learns";
    has(&done.stderr, why);
    assert!(!folder.path("weights").exists());
}

#[test]
fn the_score_of_each_stretch_of_a_match_is_shown() {
    let folder = Folder::new("learn-curve");
    succeeded(&learner(&folder, "", "--games 6 --ledger a.jsonl"));
    let done = folder
        .linesman("stats a.jsonl --every 4 --plot a.svg")
        .done();
    succeeded(&done);
    let shown: Vec<&str> = done
        .lines("games ")
        .into_iter()
        .filter(|line| line.contains(" to "))
        .collect();
    assert_eq!(shown.len(), 2, "{:?}", done.stdout);
    assert!(
        shown[0].starts_with("games 1 to 4 ") && shown[1].starts_with("games 5 to 6 "),
        "{shown:?}"
    );
    has(&folder.read("a.svg"), "Score of learner in each 4 games");
    let done = folder.linesman("stats a.jsonl --every 4 --json").done();
    let value: serde_json::Value = serde_json::from_str(&done.stdout.join("\n")).expect("JSON");
    assert_eq!(value["windows"][1]["last"], 6);
}
