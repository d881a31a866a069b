//! Tests of proven values in Nim, whose values are known.

use kit::dyn_history::parse_history;
use kit::{Game, Options, PositionHistory, Value};
use nim::Nim;

use super::verify;

fn position(text: &str) -> PositionHistory<Nim> {
    let game = Nim::new(&Options::new(Nim::options()));
    parse_history(&game, text).expect("a position")
}

fn verdict(history: &PositionHistory<Nim>, best: &[&str], value: Value) -> Result<(), String> {
    let best: Vec<String> = best.iter().map(|&code| code.to_owned()).collect();
    verify(history, &best, value).map_err(|why| why.to_string())
}

#[test]
fn a_win_has_its_length_and_its_moves() {
    // Taking one from the heap of two leaves 1/1, which ends two plies later.
    let history = position("1/2 p1");
    assert_eq!(verdict(&history, &["b1"], Value::Win(3)), Ok(()));
    assert_eq!(verdict(&history, &[], Value::Win(3)), Ok(()));
    for (best, value, named) in [
        (&["b1"][..], Value::Win(4), "fewer plies than 4"),
        (&["b1"], Value::Win(2), "b1 does not win within 2"),
        (&["b1", "b2"], Value::Win(3), "b2 does not win"),
        (&["a1"], Value::Win(3), "a1 does not win"),
        (&[], Value::Win(2), "no move wins"),
        (&["b1"], Value::Draw, "draw"),
    ] {
        let why = verdict(&history, best, value).expect_err("it is not so");
        assert!(why.contains(named), "{value}: {why}");
    }
    let why = verdict(&position("1/1/1 p1"), &["a1"], Value::Win(3)).expect_err("all win");
    assert!(why.contains("too"), "{why}");
}

#[test]
fn a_loss_has_its_length_and_its_longest_defences() {
    let history = position("2/2 p1");
    assert_eq!(verdict(&history, &["a1", "b1"], Value::Loss(4)), Ok(()));
    assert_eq!(verdict(&history, &[], Value::Loss(4)), Ok(()));
    for (best, value, named) in [
        (&["a1"][..], Value::Loss(4), "not those named"),
        (&["a1", "b2"], Value::Loss(4), "not those named"),
        (&[], Value::Loss(3), "does not lose within 3"),
        (&[], Value::Loss(5), "no move delays the loss for 5"),
        (&[], Value::Win(4), "no move wins"),
    ] {
        let why = verdict(&history, best, value).expect_err("it is not so");
        assert!(why.contains(named), "{value}: {why}");
    }
}
