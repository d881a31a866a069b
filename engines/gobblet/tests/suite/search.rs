//! Tests of the laws of the kit, of wins in one, and of the solution of Gobblet! Jr.

use fastrand::Rng;
use gobblet::Gobblet;
use kit::PositionHistory;
use kit::dyn_history::parse_history;
use kit::search::{Heuristics, Limits, Progress, Request, Searcher, mate_distance};
use laws::searches::{find, request};
use laws::testing::{check_win_in_one, full, sample};

/// Number of random positions, for each size, in which a winning move is searched.
const POSITIONS: usize = 20_000;

#[test]
fn the_laws_hold() {
    laws::check::<Gobblet>();
}

#[test]
fn a_win_at_once_is_seen_wherever_there_is_one() {
    for width in [3, 4] {
        let mut n_won = 0;
        let mut rng = Rng::with_seed(u64::from(width));
        for _ in 0..sample(POSITIONS) {
            n_won += usize::from(check_win_in_one(&random_position(width, &mut rng)));
        }
        assert!(
            n_won > sample(POSITIONS) / 50,
            "{n_won} positions with a win"
        );
    }
}

/// The game after up to 20 random moves, not over.
fn random_position(width: u8, rng: &mut Rng) -> PositionHistory<Gobblet> {
    let mut history = crate::start(width).0;
    for _ in 0..rng.usize(..20) {
        let mv = rng.choice(history.moves());
        history.play(mv.expect("a game that goes on has moves"));
        if history.outcome().is_some() {
            history.undo();
        }
    }
    history
}

/// In the twelfth iteration the first move turns out to lose while the others have not been searched yet.
#[test]
fn a_search_stopped_after_a_fail_low_claims_no_loss() {
    let game = crate::start(3).0.game().clone();
    let history = parse_history(&game, "r3,.,./.,.,y2/r1,.,. y").expect("a position");
    let step = if full() { 1 } else { 7 };
    laws::check_claims(&history, (1..=5_000).step_by(step), 1);
    laws::check_claims(&history, (60_000..100_000).step_by(1_000), 1);
}

/// Won and lost positions of Gobblet! Jr., with the number of lines to find.
const ENDS: [(&str, usize); 3] = [
    ("r3,.,y2/.,r2,./.,.,. y", 1),
    (".,r1y2y3,./r3,.,y3/.,.,r1y2 r", 1),
    ("y1r2,.,r1r2/.,.,r1/.,.,y3 y", 3),
];

/// No search claims a false forced end, at any node count at which it is stopped.
#[test]
fn no_claim_is_false_at_any_of_5000_nodes() {
    laws::check_ends::<Gobblet>(&ENDS);
}

#[test]
fn positions_that_stood_twice_are_drawn_on_return_until_a_placement() {
    let n_drawn = |codes: &str| {
        let history = crate::start(3).play(codes).0;
        history.keys_drawn_on_return().len()
    };
    let round = "a1-b1 c3-b3 b1-a1 b3-c3";
    assert_eq!(n_drawn("3@a1 3@c3"), 0);
    assert_eq!(n_drawn(&format!("3@a1 3@c3 {round}")), 1);
    assert_eq!(n_drawn(&format!("3@a1 3@c3 {round} a1-b1")), 2);
    assert_eq!(n_drawn(&format!("3@a1 3@c3 {round} 1@b2")), 0);
}

#[test]
fn gobblet_jr_is_won_in_13_plies() {
    let found = search(&crate::start(3).0, 13, 1);
    assert_eq!(mate_distance(found.lines[0].score), Some(13));
}

#[test]
fn every_first_move_of_gobblet_jr_comes_to_its_value() {
    let history = crate::start(3).0;
    let found = search(&history, 16, 27);
    assert_eq!(found.lines.len(), 27);
    for line in &found.lines {
        let code = &line.pv[0];
        let value = mate_distance(line.score);
        assert_eq!(value, Some(first_move_value(code)), "{code}");
    }
}

/// Plies to the end, negative if the first player loses, by the size placed and the square.
fn first_move_value(code: &str) -> i32 {
    let is_corner = ["a1", "c1", "a3", "c3"].iter().any(|at| code.ends_with(at));
    let is_edge = !is_corner && !code.ends_with("b2");
    match &code[..1] {
        "3" if !is_edge => 13,
        "1" if is_edge => 13,
        "1" | "3" => 15,
        _ if is_corner => -14,
        _ => -12,
    }
}

fn search(history: &PositionHistory<Gobblet>, depth: u32, n_lines: usize) -> Progress {
    let limits = Limits::depth(depth);
    // The heuristics of normal play may find a longer win first.
    let heuristics = Heuristics {
        reductions: false,
        pruning: false,
        extensions: false,
        ..Heuristics::FULL
    };
    let request = Request {
        n_lines,
        heuristics,
        ..request(history, limits)
    };
    find(&mut Searcher::new(64, 1), history, &request)
}
