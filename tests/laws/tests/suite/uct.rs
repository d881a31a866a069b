//! Tests of Monte Carlo tree search over any rules.

use kit::dyn_history::parse_history;
use kit::search::{Control, Limits, Progress};
use kit::uct;
use laws::searches::request;
use laws::testing::game;
use nim::Nim;

/// The result of a search without limits.
fn search(position: &str, control: &Control) -> Progress {
    let history = parse_history(&game::<Nim>(""), position).expect("a position");
    let request = request(&history, Limits::default());
    uct::search(Box::new(history), &request, control, &mut |_| {})
}

#[test]
fn playouts_alone_find_the_win_and_prove_it() {
    let found = search("1/3 p1", &Control::default());
    assert_eq!(found.lines[0].pv[0], "b2");
    assert!(found.lines[0].score > 200, "{:?}", found.lines);
    assert!(found.nodes < 5000, "{}", found.nodes);
}

#[test]
fn a_search_that_is_stopped_at_once_has_a_move() {
    let control = Control::default();
    control.stop();
    let found = search("1/2/3/4 p1", &control);
    assert_eq!((found.lines[0].pv.len(), found.nodes), (1, 0));
}
