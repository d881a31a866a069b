//! Leaf counts (perft) of known positions.

use crate::Entropy;

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<Entropy>(include_str!("data/perft.txt"));
}
