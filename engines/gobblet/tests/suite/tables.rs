//! Tests of the indices of the positions on 3x3.

use gobblet::Gobblet;
use kit::tablebase::{Indexing, Tabulated};
use lab::tablebase::plan;
use laws::check_indexing;
use laws::testing;

#[test]
fn numbers_agree_with_the_rules() {
    check_indexing(&testing::game::<Gobblet>("Size=3"), 3_000);
}

#[test]
fn boards_that_are_turned_mirrored_or_recoloured_share_a_number() {
    let graph = testing::game::<Gobblet>("Size=3")
        .graph()
        .expect("a board that has tables");
    let number = |position| {
        let history = testing::at::<Gobblet>("Size=3", position);
        graph.index(history.position()).expect("a number")
    };
    let one = number("r1,.,./.,r1y3,./.,y2,. r");
    for same in [
        ".,.,r1/.,r1y3,./.,y2,. r",
        ".,.,r1/y2,r1y3,./.,.,. r",
        ".,y2,./.,r1y3,./r1,.,. r",
        "y1,.,./.,y1r3,./.,r2,. y",
    ] {
        assert_eq!(number(same), one, "{same}");
    }
    for other in [
        "r1,.,./.,r1y3,./.,y2,. y",
        "r1,.,./.,y3,./.,y2,. r",
        "r1,.,./.,r1y3,./y2,.,. r",
    ] {
        assert_ne!(number(other), one, "{other}");
    }
}

/// Burnside's lemma: of the 1,423 layers of one size a half turn keeps 31, a quarter turn 3 and a mirror 73, so there are
/// (1423³ + 31³ + 2 · 3³ + 4 · 73³) / 8 positions.
#[test]
fn there_are_as_many_positions_as_counted_by_symmetries() {
    let plan = plan(&testing::game::<Gobblet>("Size=3")).expect("a table");
    assert_eq!(plan.n_indices, 360_382_485);
    assert_eq!(plan.file_name, "gobblet-Size=3.table");
}

#[test]
fn the_larger_board_is_refused() {
    let why = plan(&testing::game::<Gobblet>("Size=4"))
        .expect_err("no table")
        .to_string();
    assert_eq!(why, "no table of Size=4: expected Size=3");
}
