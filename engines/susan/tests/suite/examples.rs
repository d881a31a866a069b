//! Worked examples of the rules, codes, positions and diagrams.

use kit::Outcome;
use laws::testing::play;

use crate::after;
use susan::Susan;

#[test]
fn rules_notation_and_diagrams() {
    laws::check_cases::<Susan>(concat!(
        include_str!("data/rules.txt"),
        include_str!("data/notation.txt"),
        include_str!("data/diagram.txt")
    ));
}

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<Susan>(include_str!("data/perft.txt"));
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(laws::check_transcripts(susan::GAME, include_str!("../../../../spec/susan.md")) >= 4);
}

#[test]
fn a_position_that_stands_again_draws_where_the_option_says_so() {
    for n in 2..=5 {
        let options = format!("Size=3 SlideLimit=0 Repetition={n}");
        let mut history = after(&options, "startpos", "a1, e3");
        for occurrence in 2..=n {
            assert_eq!(history.outcome(), None, "{options}: before {occurrence}");
            play(&mut history, "a1->a2, e3->e2, a2->a1, e2->e3");
        }
        assert_eq!(history.outcome(), Some(Outcome::Draw), "{options}");
    }
}
