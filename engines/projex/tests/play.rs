//! The engine plays: it sees wins, stops them, and proves what is known of the smallest board.

mod common;

use std::time::Instant;

use common::{Play, after, at};
use kit::search::{Control, Limits, Progress, Request, Searcher, mate_distance};
use kit::{Board, Notation, Outcome, Side};
use projex::Move;

fn search(play: &Play, limits: Limits) -> Progress<Move> {
    let request = Request::new(play.moves(), limits);
    let control = Control::new(Instant::now(), false);
    Searcher::new(16, 1).search(play, &request, &control, &mut |_| {})
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// The best move and its distance to mate, if it mates or is mated.
fn best(play: &Play, limits: Limits) -> (String, Option<i32>) {
    let found = search(play, limits);
    let line = &found.lines[0];
    let code = play.game().format_move(play.position(), line.pv[0]);
    (code, mate_distance(line.score))
}

#[test]
fn a_loop_is_completed() {
    let play = at("", "4/5/6/1ooo3/xxxx1xxx/7/1ooo2/o4 x 1");
    assert_eq!(best(&play, to_depth(1)), ("E5".to_owned(), Some(1)));
}

#[test]
fn a_loop_is_stopped() {
    let play = at("", "4/5/6/1ooo3/xxxx1xxx/7/1oo3/o4 o 1");
    assert_eq!(best(&play, to_depth(3)).0, "E5");
}

#[test]
fn a_loop_with_two_bridges_cannot_be_stopped() {
    // A6 and C5, E5 and G4 are joined by bridges; H4 meets A6 across the edge.
    let play = at("", "oooo/o4/6/5xx/2xxx3/x6/6/5 o 1");
    assert_eq!(best(&play, to_depth(4)).1, Some(-4));
}

#[test]
fn size_3_is_solved_by_search() {
    for code in Board::moves(&after("Size=3", "")) {
        let (_, mate) = best(&after("Size=3 Swap=false", &code), to_depth(11));
        let is_win = ["B2", "C2", "D2", "B3", "C3", "B4"].contains(&code.as_str());
        assert_eq!(mate.map(|plies| plies < 0), Some(is_win), "{code}");
    }
    let (_, mate) = best(&after("Size=3", ""), to_depth(13));
    assert!(mate.is_some_and(|plies| plies < 0), "{mate:?}");
}

#[test]
fn a_random_mover_loses_every_game() {
    let nodes = Limits {
        nodes: Some(200),
        ..Limits::default()
    };
    for seed in 0..10 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let engine = Side::BOTH[seed as usize % 2];
        let mut play = after("Size=5", "");
        while play.outcome().is_none() {
            let mv = if play.side() == engine {
                search(&play, nodes.clone()).lines[0].pv[0]
            } else {
                *rng.choice(&play.moves()).expect("a move")
            };
            play.play(mv);
        }
        assert_eq!(play.outcome(), Some(Outcome::Win(engine)), "seed {seed}");
    }
}
