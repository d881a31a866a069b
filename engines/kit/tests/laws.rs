//! A small game keeps the laws, and the laws notice games that do not.

mod nim;

use nim::Nim;

#[test]
fn nim_keeps_the_laws() {
    kit::laws::check::<Nim>();
}
