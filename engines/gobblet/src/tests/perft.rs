//! Leaf counts (perft) of known positions.

use crate::Gobblet;

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<Gobblet>(include_str!("data/perft.txt"));
}
