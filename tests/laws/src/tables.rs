//! Tables of leaf counts (perft), which a game's tests keep in a file.

use kit::perft::perft;
use kit::{Engine, Game, PositionHistory};

use crate::testing::{at, full};

/// Largest count that is checked without `LINESMAN_TEST_FULL`.
const SAMPLE_COUNT: u64 = 400_000;

/// Compares a game with a table of leaf counts. Each line has three columns, separated by ` | `: options as
/// `Name=value`, separated by blanks, or `-`; a position string or `startpos`; the leaves at depth 0, 1, 2 and so on.
/// Lines that begin with `#` are comments.
///
/// # Panics
/// With the line, if it is malformed or a count differs.
pub fn check_leaves<G: Engine>(table: &str) {
    let mut rows = table.lines().filter(|row| !row.starts_with('#')).peekable();
    assert!(rows.peek().is_some(), "rows to hold the game against");
    for row in rows {
        let [options, position, counts] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}: expected options | position | counts");
        };
        let options = if options == "-" { "" } else { options };
        let mut history = at::<G>(options, position);
        for (depth, count) in (0..).zip(counts.split(' ')) {
            let expected: u64 = count.parse().expect(row);
            if expected > SAMPLE_COUNT && !full() {
                break;
            }
            let found = perft(&mut history, depth);
            assert_eq!(found, expected, "{row}: depth {depth}, in bulk");
            let made = leaves(&mut history, depth);
            assert_eq!(made, expected, "{row}: depth {depth}, leaf by leaf");
        }
    }
}

/// Counts the same leaves as [`perft`], but plays and judges each: this measures the speed of the rules.
pub fn leaves<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> u64 {
    let is_over = std::hint::black_box(history.outcome()).is_some();
    if depth == 0 || is_over {
        return u64::from(depth == 0);
    }
    let mut n_leaves = 0;
    for mv in history.moves() {
        history.play(mv);
        n_leaves += leaves(history, depth - 1);
        history.undo();
    }
    n_leaves
}
