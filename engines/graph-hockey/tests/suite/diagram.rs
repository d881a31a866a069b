//! The drawn field.

use kit::{Board, View};

use crate::Case;

fn drawn(position: &str, style: &str) -> String {
    Board::draw(&Case::new(position).0, View::styled(style))
}

#[test]
fn one_inch_in_seven_bits() {
    let expected = include_str!("../data/1x1-ascii.txt");
    assert_eq!(drawn("1x1 GHKIBT", "ascii"), expected.trim_end());
}

#[test]
fn one_inch_in_braille() {
    let expected = include_str!("../data/1x1-braille.txt");
    assert_eq!(drawn("1x1 GHKIBT", ""), expected.trim_end());
}
