//! The request to draw a position.

use draw::{Board, Gesture, Input, View};

use crate::{Game, Notation, Outcome, PositionHistory, Side};

/// A position to draw, with its last move and outcome.
#[derive(Debug)]
pub struct DrawRequest<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// The move that led to the position; `None` at the start.
    pub last: Option<G::Move>,
    /// The result, repetition included; `None` if the game is not over.
    pub outcome: Option<Outcome>,
    /// The style.
    pub view: View<'a>,
}

impl<'a, G: Game> DrawRequest<'a, G> {
    /// Requests a drawing of the current position.
    pub fn of(history: &'a PositionHistory<G>, view: View<'a>) -> DrawRequest<'a, G> {
        let outcome = history.outcome();
        DrawRequest {
            position: history.position(),
            last: history.last(),
            outcome,
            view: View {
                ending: view.ending.filter(|_| outcome.is_none()),
                ..view
            },
        }
    }

    /// `true` if nobody is to move.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() || self.view.ending.is_some()
    }
}

impl<G: Notation> DrawRequest<'_, G> {
    /// A board without shapes, with the gestures of the legal moves. `input` returns the input for a move. The caption is
    /// the result with its reason, or the side to move with a `note`, such as `, 2 slides in a row`.
    pub fn board(&self, game: &G, note: &str, input: impl Fn(G::Move) -> Input) -> Board {
        let mut moves = Vec::new();
        if !self.is_over() {
            game.moves(self.position, &mut moves);
        }
        let gesture = |mv| Gesture {
            code: game.format_move(self.position, mv),
            input: input(mv),
        };
        let names = Side::BOTH.map(|side| game.side_name(self.position, side));
        let side = &names[game.side(self.position).index()];
        let caption = match self.outcome {
            None => format!("{side} to move{note}"),
            outcome => game.explain(self.position, outcome).unwrap_or_default(),
        };
        Board {
            gestures: moves.into_iter().map(gesture).collect(),
            last: self.last.map(&input),
            owners: Side::BOTH,
            caption,
            names,
            ..Board::default()
        }
    }
}
