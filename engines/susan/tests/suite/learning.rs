//! Tests of online learning: what the weights learn, and their file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kit::learn::{LearnedChange, Learner, NetworkTrainer, OnlineLearner, Trainer};
use kit::search::{Limits, Searcher};
use kit::{Engine, NetworkInputs, Notation, Outcome, PositionHistory, Session, Side};
use lab::learn::SelfPlay;
use laws::searches::{find, request, static_score};
use laws::testing::full;
use susan::Susan;

use crate::{answers, game};

/// A file that does not exist yet, in a folder for this test.
fn file(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("susan-{test}-{}", std::process::id()));
    // The folder exists if an earlier run with this process number was killed.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder.join("weights")
}

/// A finished game of random moves.
fn random_game(seed: u64) -> PositionHistory<Susan> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut history = PositionHistory::start(game("Size=3"));
    while history.outcome().is_none() {
        let moves = history.moves();
        let mv = rng.choice(moves).expect("a game that goes on has moves");
        history.play(mv);
    }
    history
}

/// Learns from a finished game of the first player.
fn learn(learner: &mut OnlineLearner, history: &PositionHistory<Susan>) -> LearnedChange {
    let outcome = history.outcome().expect("a finished game");
    let learned = learner.learn("susan", Susan::erased(history), outcome, Some(Side::P1));
    learned.expect("it is written")
}

fn open(path: &Path) -> Result<OnlineLearner, String> {
    OnlineLearner::open(path, game("").n_inputs()).map_err(|why| why.to_string())
}

/// A self-play game with the current weights, as a session passes it to the learner.
fn engine_game(board: &Susan, number: u64) -> PositionHistory<Susan> {
    let mut history = PositionHistory::start(board.clone());
    let played = SelfPlay { seed: 5, nodes: 60 }.play(Susan::erased(&history), number);
    for code in &played.moves {
        let mv = history.game().parse_move(history.position(), code);
        history.play(mv.expect("a legal move"));
    }
    history
}

/// Number of positions before the end of a game.
const N_LAST: usize = 10;

/// Share of the last positions of unseen games in which the score favours the winner.
fn right(board: &Susan) -> f32 {
    let (mut right, mut count) = (0.0, 0.0);
    for number in 1_000..1_100 {
        let mut history = engine_game(&game("Size=4"), number);
        let Some(Outcome::Win(winner)) = history.outcome() else {
            continue;
        };
        for _ in 0..N_LAST {
            if history.undo().is_none() {
                break;
            }
            let score = static_score(board, history.position());
            let is_winners = history.side() == winner;
            right += f32::from(u8::from(score != 0 && (score > 0) == is_winners));
            count += 1.0;
        }
    }
    right / count
}

#[test]
fn the_winner_is_foretold_after_some_games() {
    if !full() {
        return;
    }
    let path = file("learns");
    let mut learner = open(&path).expect("a new file");
    let board = game("Size=4");
    let before = right(&board.with_network(learner.network()));
    assert_eq!(before, 0.0, "it knows nothing");
    for number in 0..300 {
        learn(&mut learner, &engine_game(&board, number));
    }
    let after = right(&board.with_network(learner.network()));
    assert!(after > 0.55, "{after}");
}

/// The optimizer's state is part of the file: starting again after each game changes no weight.
#[test]
fn weights_do_not_depend_on_restarts() {
    let path = file("restarts");
    let mut uninterrupted = open(&file("no-restarts")).expect("a new file");
    for seed in 0..6 {
        let mut restarted = open(&path).expect("the file of before");
        for learner in [&mut restarted, &mut uninterrupted] {
            learn(learner, &random_game(seed));
        }
        assert_eq!(restarted.network(), uninterrupted.network(), "game {seed}");
        assert_eq!(restarted.n_games(), seed + 1);
    }
}

#[test]
fn scores_by_other_weights_are_not_used() {
    let board = game("Size=4");
    let untrained = NetworkTrainer::untrained(board.n_inputs(), 1).weights();
    let other = board.with_network(Arc::new(untrained));
    let nodes = |searcher: &mut Searcher, board: &Susan| {
        let history = PositionHistory::start(board.clone());
        let request = request(&history, Limits::depth(4));
        find(searcher, &history, &request).nodes
    };
    let mut kept = Searcher::new(1, 1);
    nodes(&mut kept, &board);
    let fresh = nodes(&mut Searcher::new(1, 1), &other);
    assert_eq!(nodes(&mut kept, &other), fresh);
}

#[test]
fn a_refused_file_leaves_the_one_before() {
    let path = file("first");
    let mut session = Session::new(susan::GAME);
    let learn = |path: &Path| format!("setoption name Learn value {}", path.display());
    assert!(answers(&mut session, &learn(&path)).is_empty());
    let folder = path.parent().expect("a folder");
    let refused = answers(&mut session, &learn(folder));
    assert!(refused[0].starts_with("info error Learn: "), "{refused:?}");
    let why = open(&path).expect_err("the first engine still learns in it");
    assert!(
        why.ends_with("another engine uses this file to learn"),
        "{why}"
    );
    assert!(
        answers(&mut session, &learn(&path)).is_empty(),
        "the same file again"
    );
    assert!(answers(&mut session, "setoption name Learn value").is_empty());
    open(&path).expect("it is free");
}

#[test]
fn a_resigned_game_is_learned_from_and_on_record() {
    let path = file("resigned");
    let mut session = Session::new(susan::GAME);
    let mut say = |line: &str| answers(&mut session, line);
    say(&format!("setoption name Learn value {}", path.display()));
    say("position startpos moves a1 e5");
    let wrong = say("setoption name LearnResult value white");
    assert!(
        wrong[0].ends_with("expected p1win, p2win or draw"),
        "{wrong:?}"
    );
    let resigned = "setoption name LearnResult value p2win";
    let learned = say(resigned);
    let text = "info string learned from game 1: after a1 the first player's score";
    assert!(learned[0].starts_with(text), "{learned:?}");
    assert!(say(resigned).is_empty(), "a game counts once");
    let learner = Learner::read(&path).expect("the file");
    assert_eq!(
        (learner.n_games, &*learner.history.board),
        (1, "susan Size=5")
    );
    assert_eq!(learner.history.games[0].half_points, None);
}

/// The record has the points of the side that learned.
#[test]
fn games_are_on_record() {
    let path = file("record");
    let mut learner = open(&path).expect("a new file");
    for seed in 0..26 {
        learn(&mut learner, &random_game(seed));
    }
    let learner = Learner::read(&path).expect("the file");
    assert_eq!(learner.n_inputs(), game("").n_inputs());
    for (seed, game) in learner.history.games.iter().enumerate() {
        let points = match random_game(seed as u64).outcome() {
            Some(Outcome::Win(Side::P1)) => 2,
            Some(Outcome::Draw) => 1,
            _ => 0,
        };
        assert_eq!(game.half_points, Some(points));
    }
}

#[test]
fn a_damaged_or_foreign_file_is_refused_and_stays() {
    let path = file("damaged");
    let mut learner = open(&path).expect("a new file");
    learn(&mut learner, &random_game(1));
    drop(learner);
    let whole = fs::read(&path).expect("the file");
    let step = if full() { 997 } else { 9_973 };
    for at in (0..whole.len()).step_by(step).chain([whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&path, &damaged).expect("written");
        let why = open(&path).expect_err("it is damaged");
        assert!(why.starts_with(&path.display().to_string()), "{why}");
        assert_eq!(fs::read(&path).expect("the file"), damaged);
        fs::write(&path, &whole[..at]).expect("written");
        assert!(open(&path).is_err(), "cut at {at}");
    }
    fs::write(&path, &whole).expect("written");
    let why = OnlineLearner::open(&path, 7)
        .expect_err("another game")
        .to_string();
    assert!(
        why.ends_with("weights of another game: expected 7 inputs"),
        "{why}"
    );
    let why = open(path.parent().expect("a folder")).expect_err("it is a folder");
    let expected = ": not a regular file: name a file on disk";
    assert!(why.ends_with(expected), "{why}");
}

#[test]
fn an_engine_learns_from_each_finished_game_once() {
    let path = file("session");
    let mut session = Session::new(susan::GAME);
    let mut say = |line: &str| answers(&mut session, line);
    assert!(say("setoption name Size value 3").is_empty());
    let set = format!("setoption name Learn value {}", path.display());
    assert!(say(&set).is_empty());
    let mut history = random_game(3);
    let mut codes: Vec<String> = Vec::new();
    while let Some(mv) = history.undo() {
        codes.insert(0, history.game().format_move(history.position(), mv));
    }
    let finished = format!("position startpos moves {}", codes.join(" "));
    let before = format!(
        "position startpos moves {}",
        codes[..codes.len() - 1].join(" ")
    );
    assert!(say(&before).is_empty());
    let learned = say(&finished);
    let opening = codes[..4].join(" ");
    let text = format!(
        "info string learned from game 1: after {opening} the first player's score moved from "
    );
    assert!(learned[0].starts_with(&text), "{learned:?}");
    assert!(say(&finished).is_empty());
    assert!(say(&before).is_empty());
    assert!(say(&finished).is_empty());
    say("uginewgame");
    let learned = say(&finished);
    assert!(
        learned[0].starts_with("info string learned from game 2: "),
        "{learned:?}"
    );
    assert_eq!(
        open(&path).map(drop),
        Err(format!(
            "{}: another engine uses this file to learn",
            path.display()
        ))
    );
    say("setoption name Learn value");
    assert_eq!(open(&path).map(|learner| learner.n_games()), Ok(2));
    fs::write(&path, "nonsense").expect("written");
    let refused = say(&set);
    assert!(refused[0].starts_with("info error Learn: "), "{refused:?}");
}
