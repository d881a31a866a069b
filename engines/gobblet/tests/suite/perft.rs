//! Leaf counts of known positions, by both counts of the kit.

use gobblet::Gobblet;
use kit::History;
use kit::perft::{leaves, perft};

use crate::Case;

/// The most leaves that are made one by one; larger rows are counted in bulk only.
const MOST_JUDGED: u64 = 1_000_000;

/// A line of `perft.txt`: options, position, leaves by depth.
struct Row {
    history: History<Gobblet>,
    leaves: Vec<u64>,
}

fn rows() -> impl Iterator<Item = Row> {
    let lines = include_str!("../data/perft.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split(" | ").collect();
        let width = fields[0].strip_prefix("Size=").expect("a size");
        let case = match fields[1] {
            "startpos" => Case::start(width.parse().expect("a width")),
            text => Case::new(text),
        };
        let leaves = fields[2].split(' ').map(|n| n.parse().expect("a count"));
        Row {
            history: case.0,
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
        let small = row.leaves.iter().filter(|&&n| n <= MOST_JUDGED);
        for (depth, &expected) in (0..).zip(small) {
            let found = leaves(&mut row.history, depth).nodes;
            assert_eq!(found, expected, "{:?} to depth {depth}", row.history);
        }
    }
}
