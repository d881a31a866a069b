//! Tests of `place_positions.txt`: for each pair of neighbours, also across the edge, a stone on the first completes a
//! shortest global loop by the step to the second. The opponent's stones are placed at random.

use std::collections::BTreeSet;

use kit::{Outcome, Side};

use crate::{at, game};
use projex::GAME;

#[test]
fn each_step_completes_a_loop_and_none_is_left_out() {
    let all = kit::CheckPosition::parse_table(GAME.place_positions);
    let places: BTreeSet<&str> = all.iter().map(|one| one.rule).collect();
    let projex = game("");
    let board = projex.board();
    let n_steps: usize = board.cells().map(|cell| board.steps(cell).count()).sum();
    assert_eq!((all.len(), places.len()), (n_steps, n_steps));
    for one in &all {
        let mut play = at("", one.position);
        assert_eq!(play.outcome(), None, "{one:?}");
        laws::testing::play(&mut play, one.moves);
        assert_eq!(play.outcome(), Some(Outcome::Win(Side::P1)), "{one:?}");
    }
}
