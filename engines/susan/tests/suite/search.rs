//! Tests of the laws of the kit, of forced wins, and of play.

use kit::search::{Line, Searcher, mate_distance};
use kit::{Game, PositionHistory};
use laws::searches::first;
use laws::testing::{check_beats_random, sample};
use susan::Susan;

use crate::at;

/// Positions in which the side to move can force a win, with its length in plies, from self-play games.
const FORCED_WINS: [(&str, u32); 9] = [
    ("ox1/x3/5/4/3 x 0", 1),
    ("xo1/o1o1/5/4/3 o 5", 1),
    (
        "2xo1/x1o1x1/1o1xo1x/x1xo1xo1/1oo1xo1x1/2xo1xo1/1o1x3/2xox1/5 o 1",
        3,
    ),
    (
        "1ox1x/1o1xo1/1xxo2x/2o1xoo1/1o1xo1xo1/1xo1xo2/o1xo1xo/1o1xo1/2o2 o 3",
        3,
    ),
    ("3o1/1x1xo1/5x1/3o1o2/6xo1/6ox/1x2xo1/1o2ox/5 x 0", 3),
    (
        "1o3/1x1ox1/2ox1o1/1ox1oxo1/1x1ox1x2/1ox1oxo1/2ox1x1/1x2o1/2o2 o 2",
        5,
    ),
    (
        "1x2x/x1oxo1/1ox2x1/ox2xo2/x1oo2xo1/1x1xxo1x/1oxo1x1/1o1xo1/5 o 0",
        5,
    ),
    (
        "1x3/o1xx2/1xo1o2/1o1oxx2/1xox1o1o1/4o1ox/1oxxo2/1o1o2/5 o 1",
        5,
    ),
    (
        "1xo1o/1o1xo1/2xo3/1xo1xo2/3xo2o1/1xx1xx2/1oxo2x/x1oxxo/1x1o1 x 0",
        5,
    ),
];

#[test]
fn the_laws_hold() {
    laws::check::<Susan>();
}

#[test]
fn forced_wins_are_found_at_sight() {
    for (position, plies) in FORCED_WINS {
        let history = at("", position);
        let can_win = |plies| !laws::winning_moves(&history, plies).is_empty();
        assert!(can_win(plies), "{position}: won in {plies}");
        assert!(!can_win(plies - 1), "{position}: not sooner");
        let found = think(&history, 50_000);
        assert_eq!(mate_distance(found.score), Some(plies as i32), "{position}");
    }
}

/// Won and lost positions of the smallest board, with the number of lines to find.
const ENDS: [(&str, usize); 3] = [
    ("o2/1oox/1o1o1/xx1x/1o1 x 4", 1),
    ("2o/o2o/xxx2/1xxo/x2 x 0", 1),
    ("x1o/2o1/oxox1/2o1/x1x x 0", 3),
];

/// No search claims a false forced end, at any node count at which it is stopped.
#[test]
fn no_claim_is_false_at_any_of_5000_nodes() {
    laws::check_ends::<Susan>(&ENDS);
}

#[test]
fn the_search_beats_random_moves_in_each_game() {
    check_beats_random(&at("", "startpos"), 0..sample(100) as u64, |history| {
        first(history, &think(history, 500))
    });
}

#[test]
fn slides_so_far_count_for_the_search_but_not_for_repetition() {
    let keys = |options: &str, position: &str| {
        let history = at(options, position);
        let (game, position) = (history.game(), history.position());
        (game.key(position), game.search_key(position))
    };
    let (fresh, old) = ("x2/4/5/4/2o x 0", "x2/4/5/4/2o x 5");
    assert_eq!(keys("", fresh).0, keys("", old).0);
    assert_ne!(keys("", fresh).1, keys("", old).1);
    assert_eq!(keys("SlideLimit=0", fresh), keys("SlideLimit=0", old));
}

fn think(history: &PositionHistory<Susan>, nodes: u64) -> Line {
    laws::testing::search(&mut Searcher::new(1, 1), history, nodes)
}
