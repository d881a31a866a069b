//! Leaf counts of known positions, by both counts of the kit.

use entropy::Entropy;
use kit::board::parse_history;
use kit::perft::{leaves, perft};
use kit::{Game, History, Options};

/// A line of `perft.txt`: options, position, leaves by depth.
struct Row {
    history: History<Entropy>,
    leaves: Vec<u64>,
}

fn rows() -> impl Iterator<Item = Row> {
    let lines = include_str!("../data/perft.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split(" | ").collect();
        let mut options = Options::new(Entropy::options());
        if let Some((name, value)) = fields[0].split_once('=') {
            options
                .set(name, Some(value))
                .expect("an option of Entropy");
        }
        let game = Entropy::new(&options);
        let history = match fields[1] {
            "startpos" => History::start(game),
            text => parse_history(&game, text).expect("a position"),
        };
        let leaves = fields[2].split(' ').map(|n| n.parse().expect("a count"));
        Row {
            history,
            leaves: leaves.collect(),
        }
    })
}

#[test]
fn every_row_counts_right_in_bulk() {
    for mut row in rows() {
        for (depth, &expected) in (0..).zip(&row.leaves) {
            let found = perft(&mut row.history, depth);
            assert_eq!(found, expected, "{:?} to depth {depth}", row.history);
        }
    }
}

#[test]
fn every_row_counts_right_leaf_by_leaf() {
    for mut row in rows() {
        for (depth, &expected) in (0..).zip(&row.leaves) {
            let found = leaves(&mut row.history, depth).nodes;
            assert_eq!(found, expected, "{:?} to depth {depth}", row.history);
        }
    }
}
