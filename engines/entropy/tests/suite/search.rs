//! Tests of the laws of the kit, of the forced win of the FAQ's puzzle, and of play.

use entropy::{Entropy, Move};
use kit::search::{Line, Searcher, mate_distance};
use kit::{Outcome, PositionHistory};
use laws::searches::first;

use crate::Case;

const PUZZLE: &str = "
    S     .     O     S     O
    O     .     .     .     S
    O     .     .     .     O
    .     O     .     .     S
    S     S     S     .     O
";

#[test]
fn the_laws_hold() {
    laws::check::<Entropy>();
}

/// By exhaustive search, without the engine's: no other first move wins as fast.
#[test]
fn the_puzzle_is_won_in_7_plies_by_a4_c4_alone() {
    let history = Case::new(PUZZLE).0;
    assert!(laws::winning_moves(&history, 5).is_empty());
    let winning = laws::winning_moves(&history, 7);
    assert_eq!(codes(&history, &winning), ["a4-c4"]);
}

#[test]
fn the_search_finds_the_puzzle_at_once() {
    let history = Case::new(PUZZLE).0;
    let line = think(&history, 50_000);
    assert_eq!(mate_distance(line.score), Some(7));
    assert_eq!(line.pv[0], "a4-c4");
    assert_eq!(line.pv.len(), 7);
}

/// This bind cannot be won, although its static evaluation is high.
#[test]
fn a_bind_that_wins_nothing_is_given_up() {
    let mut history = Case::new("s1o2/s4/ossss/s2oo/oo1o1 s 1").0;
    for _ in 0..12 {
        history.play(first(&history, &think(&history, 20_000)));
        let replies = history.moves();
        if replies != [Move::Pass] {
            return;
        }
        history.play(replies[0]);
    }
    panic!("the bind stands after 12 moves: {history:?}");
}

/// Positions just after a player was bound, with a number of nodes per move. Scored by its features, each of these
/// binds was kept until the arrangements had occurred twice: for 300 to 2,300 plies.
const HELD_BINDS: [(&str, u64); 3] = [
    ("sssos/o1s2/2o1o/s1s2/o1o1o s 1", 200),
    ("s1o1s/2s1o/s1o1s/o1s1o/soo2 o 1", 3_000),
    ("2s1s/s1o2/o1soo/s3o/oss1o o 1", 3_000),
];

#[test]
fn a_game_with_a_bind_ends() {
    for (position, nodes) in HELD_BINDS {
        let mut history = Case::new(position).0;
        let mut searchers = [Searcher::new(1, 1), Searcher::new(1, 1)];
        while history.outcome().is_none() {
            assert!(history.ply() < 400, "{position} with {nodes} nodes");
            let searcher = &mut searchers[history.side().index()];
            let line = laws::testing::search(searcher, &history, nodes);
            history.play(first(&history, &line));
        }
    }
}

#[test]
fn a_bind_that_wins_is_seen_to_its_end() {
    let history = Case::new("ss2o/s1s1s/ooooo/s3o/2s2 o 1").0;
    let line = think(&history, 20_000);
    assert_eq!(mate_distance(line.score), Some(27));
    let mut end = history.clone();
    laws::testing::play(&mut end, &line.pv.join(" "));
    assert_eq!(
        (line.pv.len(), end.outcome()),
        (27, Some(Outcome::Win(history.side())))
    );
}

/// Won and lost positions late in random games, in the first of which the opponent is bound, with the number of lines
/// to find.
const ENDS: [(&str, usize); 3] = [
    ("1s1os/s1o2/o1s1o/s1o1s/1os1o o 0", 1),
    ("o1s1o/2o1s/s3o/1sso1/sos1o o 0", 1),
    ("4s/s1o1o/o2so/s1os1/os1so o 0", 3),
];

/// No search claims a false forced end, at any node count at which it is stopped.
#[test]
fn no_claim_is_false_at_any_of_5000_nodes() {
    laws::check_ends::<Entropy>(&ENDS);
}

#[test]
fn the_search_beats_random_moves() {
    let start = Case::new("startpos").0;
    laws::testing::check_beats_random(&start, 1..11, |history| {
        first(history, &think(history, 3_000))
    });
}

fn think(history: &PositionHistory<Entropy>, nodes: u64) -> Line {
    laws::testing::search(&mut Searcher::new(1, 1), history, nodes)
}

fn codes(history: &PositionHistory<Entropy>, moves: &[Move]) -> Vec<String> {
    let code = |&mv: &Move| kit::Notation::format_move(history.game(), history.position(), mv);
    moves.iter().map(code).collect()
}
