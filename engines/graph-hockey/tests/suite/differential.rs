//! Compares the game with the slow second implementation, along random games on fields of many sizes.
//!
//! Players who only try to reach their goals hardly ever see a free jump. In most of these games they therefore try to
//! box the puck in, and if any move is allowed they tend to go back at once.

use std::thread;

use fastrand::Rng;
use graph_hockey::Move;
use kit::{Game, Side};
use laws::testing::{full, result_name};

use crate::Case;
use crate::naive::{Naive, step};

const POSITIONS: usize = 120_000;
const LONGEST_GAME: usize = 300;
/// Fields as side and gap: the ends of both ranges, and values between.
const SIZES: [(i64, i64); 10] = [
    (4, 8),
    (1, 1),
    (1, 2),
    (2, 3),
    (3, 1),
    (1, 20),
    (12, 1),
    (2, 2),
    (7, 5),
    (12, 20),
];

/// Statistics of the games.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    /// Positions by level; 0 for finished games.
    levels: [usize; 4],
    draws: usize,
    wins: usize,
}

/// The choice of moves in a game.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Style {
    /// Any move.
    Free,
    /// Mostly a move that leaves the next player the fewest moves.
    Tight,
    /// The same, and near the upper left corner of the field.
    Cornered,
}

#[test]
fn plays_by_the_rules() {
    // A sixth is enough to see every level and every end.
    let share = if full() { 1 } else { 6 };
    let games = thread::scope(|scope| {
        [Style::Free, Style::Tight, Style::Cornered]
            .map(|style| scope.spawn(move || compare_games(style, POSITIONS / share / 3)))
            .map(|games| games.join().expect("equal games"))
    });
    let sum = |count: fn(&Seen) -> usize| games.iter().map(count).sum::<usize>() * share;
    assert!(sum(|seen| seen.levels[1]) > 50_000, "{games:?}");
    assert!(sum(|seen| seen.levels[2]) > 3_000, "{games:?}");
    assert!(sum(|seen| seen.levels[3]) > 200, "{games:?}");
    assert!(sum(|seen| seen.wins) > 100, "{games:?}");
    assert!(sum(|seen| seen.draws) > 5, "{games:?}");
}

fn compare_games(style: Style, n_positions: usize) -> Seen {
    let mut seen = Seen::default();
    for (seed, size) in (0..).zip(SIZES.iter().cycle()) {
        if seen.positions >= n_positions {
            break;
        }
        compare_game(*size, style, seed, &mut seen);
    }
    seen
}

fn compare_game((side, gap): (i64, i64), style: Style, seed: u64, seen: &mut Seen) {
    let mut rng = Rng::with_seed(seed);
    let mut slow = Naive::new(side, gap);
    let mut fast = Case::new(&slow.text());
    for n in 0..LONGEST_GAME {
        let at = format!("seed {seed}, move {n}: {}", slow.text());
        let (moves, level) = slow.moves();
        assert_eq!(crate::letters(&fast), moves, "{at}");
        assert_eq!(fast.fen(), slow.text(), "{at}");
        assert_eq!(fast.0.side() == Side::P1, slow.p1_moves(), "{at}");
        assert_eq!(
            result_name(fast.outcome(), ["p1", "p2"]),
            slow.result(),
            "{at}"
        );
        seen.positions += 1;
        seen.levels[level] += 1;
        if moves.is_empty() {
            seen.draws += usize::from(slow.result() == "draw");
            seen.wins += usize::from(slow.result() != "draw");
            return;
        }
        let mut moves = fast.0.moves();
        rng.shuffle(&mut moves);
        let is_wild = style == Style::Free || rng.u8(..16) == 0;
        let mv = match is_wild {
            true => moves.first(),
            false => moves.iter().min_by_key(|mv| -> i64 {
                let room = room_after(&mut fast, **mv);
                let distance = corner_distance(&slow, mv.letter());
                room + if style == Style::Cornered {
                    distance
                } else {
                    0
                }
            }),
        };
        let letter = mv.expect("the game goes on").letter();
        fast = fast.play(&letter.to_string());
        slow.play(letter);
    }
}

/// Number of moves left after this one, reduced if it drew nothing new, so that positions repeat.
fn room_after(case: &mut Case, mv: Move) -> i64 {
    case.0.play(mv);
    let (game, position) = (case.0.game(), case.0.position());
    let room = match game.outcome(position) {
        Some(_) => 1000,
        None if game.reversible_plies(position) > 0 => -100,
        None => game.count_moves(position) as i64,
    };
    case.0.undo();
    room
}

/// Distance by which a move leads away from the upper left corner, beyond some tolerance.
fn corner_distance(game: &Naive, letter: char) -> i64 {
    let (x, y) = game.puck();
    let (dx, dy) = step(letter);
    let (width, height) = (x + dx, 8 * game.gap + 16 - y - dy);
    (width + height - 5).max(0) * 3
}
