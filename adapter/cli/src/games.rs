//! The games that `linesman` knows: one line each, and nowhere else.

use referee::registry::Registry;

/// All games, in the order of the documents that they come from.
pub static GAMES: Registry = Registry(&[
    &graph_hockey::GAME,
    &gobblet::GAME,
    &susan::GAME,
    &projex::GAME,
    &entropy::GAME,
]);
