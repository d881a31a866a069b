//! Tests of the position indices, and of the memory that a table of them needs.

use kit::Engine;
use lab::tablebase::plan;
use laws::check_indexing;
use laws::testing::full;

use super::game;

#[test]
fn numbers_agree_with_the_rules() {
    for goal in ["contact", "apart"] {
        check_indexing(&game(goal), if full() { 2_000 } else { 600 });
    }
}

#[test]
fn a_build_stays_within_four_gibibytes() {
    let plan = plan(&game("contact")).expect("a table");
    assert_eq!(plan.name, "entropy Goal=contact");
    assert_eq!(plan.n_indices, 60_645 * 31_824);
    assert!(plan.n_bytes <= 4 << 30, "{}", plan.n_bytes);
}

#[test]
fn each_goal_has_a_table_of_its_own() {
    let [contact, apart] = ["contact", "apart"].map(|goal| {
        let indexing = game(goal).indexing().expect("a indexing");
        indexing.options()
    });
    assert_eq!(contact, [("Goal", "contact".to_owned())]);
    assert_eq!(apart, [("Goal", "apart".to_owned())]);
}
