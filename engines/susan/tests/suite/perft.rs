//! Perft tables: how many leaves the game tree has at each depth.

use kit::perft::{leaves, perft};

use crate::at;

const TABLES: &str = include_str!("../data/perft.txt");

#[test]
fn leaves_are_as_many_as_in_the_tables() {
    for row in TABLES.lines().filter(|row| !row.starts_with('#')) {
        let [options, position, counts] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("three columns: {row}");
        };
        let mut history = at(options, position);
        for (depth, count) in (0..).zip(counts.split(' ')) {
            let count: u64 = count.parse().expect("a number of leaves");
            let made = leaves(&mut history, depth).nodes;
            assert_eq!(made, count, "{row}: depth {depth}");
            let counted = perft(&mut history, depth);
            assert_eq!(counted, count, "{row}: depth {depth}, in bulk");
        }
    }
}
