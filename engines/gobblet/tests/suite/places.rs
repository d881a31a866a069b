//! Tests of `place_positions.txt`: for each line, each of its squares and each side, a move to that square completes the
//! line; for each square and each side, a piece on it is covered.

use std::collections::BTreeSet;

use gobblet::GAME;

/// Squares per side of the default board.
const WIDTH: usize = 3;

#[test]
fn no_line_and_no_square_is_left_out() {
    let all = kit::CheckPosition::parse_table(GAME.place_positions);
    let places: BTreeSet<&str> = all.iter().map(|one| one.rule).collect();
    let n_lines = places
        .iter()
        .filter(|place| place.starts_with("line"))
        .count();
    assert_eq!(
        (n_lines, places.len() - n_lines),
        (8 * WIDTH, WIDTH * WIDTH)
    );
    assert_eq!(all.len(), 2 * places.len());
    let mut n_won = 0;
    for one in &all {
        let mut game = laws::testing::at::<gobblet::Gobblet>("", one.position);
        assert_eq!(game.outcome(), None, "{one:?}");
        laws::testing::play(&mut game, one.moves);
        n_won += usize::from(game.outcome().is_some());
    }
    assert_eq!(n_won, 2 * n_lines);
}
