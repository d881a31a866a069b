//! The caption: the side to move, or the result with its reason.

use kit::{DrawRequest, Game, Outcome, Side};

use crate::fen::letter;
use crate::geometry::{Squares, squares};
use crate::position::{Entropy, Goal, PASSES_TO_DRAW, Position};

/// The line below the board.
pub(super) fn caption(game: &Entropy, request: &DrawRequest<Entropy>) -> String {
    let position = request.position;
    if request.outcome.is_some() {
        return explain(game, position, request.outcome).unwrap_or_default();
    }
    let pass = match position.passes {
        0 => "",
        _ => " after a pass",
    };
    let check = match position.isolated() {
        0 => String::new(),
        isolated => format!(", in check: {}", names(isolated)),
    };
    format!("{} to move{pass}{check}", name(position.side))
}

/// The result with its reason, or the reason why only a pass is legal.
pub(crate) fn explain(
    game: &Entropy,
    position: &Position,
    outcome: Option<Outcome>,
) -> Option<String> {
    match outcome {
        Some(Outcome::Win(side)) => Some(format!("{} wins: {}", name(side), reached(game, side))),
        Some(Outcome::Draw) => Some(format!("draw: {}", drawn(game, position))),
        None if game.must_pass(position) => Some(no_slide(position)),
        None => None,
    }
}

/// The letter of a player's pieces on the drawn board.
pub(crate) fn name(side: Side) -> String {
    letter(side).to_ascii_uppercase().to_string()
}

fn reached(game: &Entropy, side: Side) -> String {
    let (own, enemy) = (name(side), name(side.other()));
    match game.goal() {
        Goal::Contact => format!("every {own} touches {enemy} and no {own}"),
        Goal::Apart => format!("no {own} touches {own}"),
    }
}

fn drawn(game: &Entropy, position: &Position) -> &'static str {
    let passes = 0;
    let have_both_reached = game
        .outcome(&Position {
            passes,
            ..*position
        })
        .is_some();
    if have_both_reached {
        "both have reached the goal"
    } else if position.passes >= PASSES_TO_DRAW {
        "two passes in a row"
    } else {
        "third occurrence of this position"
    }
}

fn no_slide(position: &Position) -> String {
    let own = name(position.side);
    match position.isolated() {
        0 => format!(
            "{own} can only pass: no {own} with a neighbour of its own has a free square to slide to"
        ),
        isolated => format!(
            "{own} can only pass: no slide brings a neighbour to every isolated piece ({})",
            names(isolated)
        ),
    }
}

fn names(set: Squares) -> String {
    let names: Vec<String> = squares(set).map(|square| square.to_string()).collect();
    names.join(" ")
}
