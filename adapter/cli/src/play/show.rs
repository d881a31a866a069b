//! What the console says, as text; nothing here writes it anywhere.

use std::fmt::Write;
use std::time::Duration;

use kit::{Side, View};
use referee::clock::Clock;
use referee::play::Ending;
use referee::record::{GameResult, format_comment};
use referee::session::{Analysis, Table, Turn};

/// Where listings are broken.
pub(crate) const WIDTH: usize = 78;

/// How somebody wants to see the board.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoardStyle {
    pub(crate) style: String,
    pub(crate) is_flipped: bool,
    pub(crate) is_ascii: bool,
    pub(crate) is_coloured: bool,
    /// Moves whose marks are left out.
    pub(crate) ruled_out: Vec<String>,
}

impl BoardStyle {
    /// The board as it is wanted.
    pub(crate) fn draw(&self, session: &Table) -> String {
        session.board().draw(View {
            style: &self.style,
            is_ascii: self.is_ascii,
            is_flipped: self.is_flipped,
            is_coloured: self.is_coloured,
            ruled_out: &self.ruled_out,
            ..View::default()
        })
    }

    /// A text in the characters that are wanted.
    pub(crate) fn fit(&self, text: &str) -> String {
        if self.is_ascii {
            text.replace(|c: char| !c.is_ascii(), "?")
        } else {
            text.to_owned()
        }
    }
}

/// Who plays, and where it is recorded.
pub(crate) fn header(session: &Table) -> String {
    let plan = session.plan();
    let [p1, p2] = Side::BOTH.map(|side| session.name(side));
    let (game, ledger) = (&plan.game, plan.ledger.display());
    format!(
        "{game}: {p1} (p1) vs {p2} (p2)\nledger: {ledger}\nA move is typed as its code; ? lists the other words."
    )
}

/// The prompt of whoever is asked.
pub(crate) fn prompt(session: &Table, spent: Duration) -> String {
    let number = session.moves().len() + 1;
    let side = session.side();
    match session.turn() {
        Turn::Over => "game over> ".to_owned(),
        Turn::Person(_) => {
            let clock = &session.clocks()[side.index()];
            let clock = clock
                .shown()
                .map(|left| format!(" {}", time(left.saturating_sub(spent))));
            let behind = if session.tree().is_behind() {
                " (back)"
            } else {
                ""
            };
            format!("{number}. {side}{}{behind}> ", clock.unwrap_or_default())
        }
        Turn::Engine(_) | Turn::Held(_) => format!("{number}. {side} (engine waits)> "),
    }
}

/// The last move, by whom, and what is known of it.
pub(crate) fn last_move(session: &Table) -> String {
    let n_moves = session.moves().len();
    let Some(ply) = session.tree().ply(session.tree().here()) else {
        return String::new();
    };
    let name = session.name(ply.side);
    let comment = ply
        .record
        .map(|record| format!("  {}", format_comment(&record)));
    let comment = comment.unwrap_or_default();
    format!("{n_moves}. {} ({name}): {}{comment}", ply.side, ply.code)
}

/// How the game ended.
pub(crate) fn ending(ending: &Ending) -> String {
    let who = match ending.result {
        GameResult::P1Win => "p1 wins",
        GameResult::P2Win => "p2 wins",
        GameResult::Draw => "a draw",
        GameResult::Unknown => "no result",
    };
    format!("Game over: {who}, {} {{{}}}", ending.result, ending.reason)
}

/// What an engine would play, and why.
pub(crate) fn hint(advice: &Analysis) -> String {
    let mut text = format!("hint: {}", advice.code);
    if let Some(score) = advice.score {
        let _ = write!(text, ", score {score}");
    }
    if let Some(depth) = advice.depth {
        let _ = write!(text, ", depth {depth}");
    }
    if advice.line.len() > 1 {
        let _ = write!(text, ", line {}", advice.line.join(" "));
    }
    text
}

/// How an engine judges the position.
pub(crate) fn judgement(side: Side, advice: &Analysis) -> String {
    let score = advice.score.map_or_else(
        || "no score".to_owned(),
        |score| format!("{score} for {side}"),
    );
    let depth = advice
        .depth
        .map_or_else(String::new, |depth| format!(", {depth} plies deep"));
    format!("eval: {score}{depth}")
}

/// Both clocks; `spent` is what the player to move has used of his since the turn began.
pub(crate) fn clocks(session: &Table, spent: Duration) -> String {
    let to_move = session.side();
    let clock = |side: Side| {
        let clock: &Clock = &session.clocks()[side.index()];
        let is_running = side == to_move && session.ending().is_none();
        let spent = if is_running { spent } else { Duration::ZERO };
        let left = clock.shown().map(|left| time(left.saturating_sub(spent)));
        format!(
            "{side} {}",
            left.unwrap_or_else(|| "has no clock".to_owned())
        )
    };
    Side::BOTH.map(clock).join(", ")
}

/// Minutes and seconds, with tenths where they count.
pub(crate) fn time(left: Duration) -> String {
    let tenths = left.as_millis() / 100;
    let (minutes, tenths) = (tenths / 600, tenths % 600);
    if minutes == 0 {
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    format!("{minutes}:{:02}", tenths / 10)
}
