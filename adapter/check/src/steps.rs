//! The list of steps.

use protocol::Query;

use crate::dialogue::Dialogue;
use crate::report::Outcome;
use crate::rules::{compare, compare_counts};
use crate::{
    endurance, handshake, interrupt, limits, long_game, mates, position, positions, query, thought,
    timing,
};

/// A test step.
#[derive(Debug)]
pub struct Step {
    /// The name used by `--only`.
    pub name: &'static str,
    /// The tested clause of `spec/protocol.md`.
    pub clause: &'static str,
    /// `None` for a script.
    pub(super) run: Option<fn(&mut Dialogue<'_>) -> Outcome>,
}

const fn step(
    name: &'static str,
    clause: &'static str,
    run: fn(&mut Dialogue<'_>) -> Outcome,
) -> Step {
    let run = Some(run);
    Step { name, clause, run }
}

/// A step of `scripts.txt`.
const fn script(name: &'static str, clause: &'static str) -> Step {
    let run = None;
    Step { name, clause, run }
}

/// All steps, in order of execution.
pub static STEPS: &[Step] = &[
    step("handshake", "3.4", handshake::handshake),
    step("second-handshake", "3.4", handshake::again),
    step("option-lines", "6.1", handshake::option_lines),
    script("option-values", "3.7"),
    script("bad-options", "3.7"),
    script("unknown-words", "8.1"),
    script("isready", "3.6"),
    script("isready-in-search", "7.1"),
    script("query-then-isready", "5.4"),
    script("uginewgame", "3.10"),
    script("stop-at-rest", "3.12"),
    script("position-forms", "3.8"),
    step("bad-position", "3.8", position::bad),
    step("queries", "3.14", query::queries),
    step("listed-moves", "3.14", query::listed_moves),
    script("position-string", "3.9"),
    step("query-game", "3.14", query::game),
    step("perft", "4.9", query::perft),
    step("display", "3.15", query::display),
    script("depth", "4.2"),
    script("nodes", "4.2"),
    step("movetime", "4.3", timing::move_time),
    step("clock", "4.3", timing::clock),
    step("clock-of-player-2", "4.2", timing::clock_of_player_2),
    script("tight-limits", "4.1"),
    script("combined-limits", "4.1"),
    script("one-answer", "1.2"),
    step("searchmoves", "4.2", limits::search_moves),
    script("bad-go", "4.2"),
    step("finished-game", "4.5", limits::finished),
    step("mate", "4.6", mates::go_mate),
    step("stop", "7.1", interrupt::stop),
    script("infinite", "4.4"),
    script("commands-in-search", "7.2"),
    step("lines-after-stop", "7.2", interrupt::lines_after_stop),
    step("ponder", "4.8", interrupt::ponder),
    script("two-words", "5.6"),
    step("final-info", "5.7", thought::final_info),
    step("variations", "5.7", thought::variations),
    step("multipv", "6.4", thought::multi_pv),
    step("mate-distances", "5.8", mates::distances),
    script("cr-lf", "2.1"),
    script("long-lines", "2.2"),
    script("garbage", "7.6"),
    script("quit", "3.16"),
    script("quit-in-search", "3.16"),
    script("end-of-input", "7.4"),
    script("end-in-search", "7.4"),
    step("200-games", "3.10", endurance::games),
    step("long-games", "4.1", long_game::long_games),
    step("rules-positions", "3.14", positions::positions),
    step("rules-places", "3.14", positions::places),
    step("rules-p1turn", "3.14", |d| compare(d, Query::P1Turn)),
    step("rules-gameover", "3.14", |d| compare(d, Query::GameOver)),
    step("rules-result", "3.14", |d| compare(d, Query::Result)),
    step("rules-moves", "3.14", |d| compare(d, Query::Moves)),
    step("rules-fen", "3.14", |d| compare(d, Query::Fen)),
    step("rules-perft", "4.9", compare_counts),
    // Must be last: it judges the output of all other steps.
    step("standard-output", "1.1", thought::standard_output),
];
