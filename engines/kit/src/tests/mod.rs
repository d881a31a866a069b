//! Tests of search and session on small games with known values, and of an engine as a process.

mod bench;
mod claims;
mod diagram;
mod fuse;
// The tests of tables use more of it.
#[allow(dead_code)]
mod graph;
mod mate;
mod negamax;
// The tests of the crate itself cannot depend on the crate of this game.
#[path = "../../../nim/src/lib.rs"]
#[allow(dead_code, unreachable_pub)]
pub(crate) mod nim;
mod process;
mod random_graph;
mod random_tree;
// The laws, on which the crate cannot depend, have it too.
#[path = "../../../../tests/laws/src/searches.rs"]
#[allow(unreachable_pub)]
mod searches;
mod serve;
mod session;

/// The step between cases of a test with many: one in `n`, or all with `LINESMAN_TEST_FULL=1`.
fn step(n: usize) -> usize {
    let is_full = std::env::var_os("LINESMAN_TEST_FULL").is_some_and(|value| value == "1");
    if is_full { 1 } else { n }
}
