//! Leaf counts (perft) of known positions.

use crate::Susan;

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<Susan>(include_str!("data/perft.txt"));
}
