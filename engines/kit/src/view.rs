//! What a drawn board shows, and in which style.

use crate::{Game, Outcome, PositionHistory};

/// The style of a drawn board.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// Empty, or one of the game's [`STYLES`](crate::Notation::STYLES).
    pub style: &'a str,
    /// ASCII only.
    pub is_ascii: bool,
    /// Seen from player 2's side of the table: turned by 180 degrees, the names of rows and files with it. Nothing
    /// changes where a game's move codes are directions on the page.
    pub is_flipped: bool,
    /// With ANSI colours, which change no character and no position.
    pub is_coloured: bool,
    /// In a diagram: turned clockwise by this many steps, each the smallest that leaves the board's cells where cells
    /// were, a sixth of a circle for hexagons and a quarter for squares. Nothing changes where move codes are directions.
    pub turns: u8,
    /// In a diagram of a board that goes on beyond its edge: the code of the cell that is rolled to the middle. Empty, or
    /// not a cell: the board as it is usually drawn.
    pub centre: &'a str,
    /// Codes of moves whose marks are left out, where the game marks its legal moves; read in either case.
    pub ruled_out: &'a [String],
    /// As text: drawn larger, where the game can. See [`TextBoard`](crate::TextBoard).
    pub is_close: bool,
    /// As text: how much room there is; without limits if `None`.
    pub room: Option<Room<'a>>,
}

/// How much room a board as text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room<'a> {
    /// Characters in a line.
    pub columns: usize,
    /// Lines.
    pub lines: usize,
    /// The id of a spot that has to be shown; empty if none has.
    pub shows: &'a str,
}

impl<'a> View<'a> {
    /// The plain board in one of the game's styles; the empty one is the default.
    pub fn styled(style: &'a str) -> View<'a> {
        View {
            style,
            ..View::default()
        }
    }
}

/// A position of a game to draw.
#[derive(Debug)]
pub struct DrawRequest<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// The move that led to it; `None` at the start.
    pub last: Option<G::Move>,
    /// How the game ended, repetition included; `None` while it goes on.
    pub outcome: Option<Outcome>,
    /// The style.
    pub view: View<'a>,
}

impl<'a, G: Game> DrawRequest<'a, G> {
    /// The last position of a game in play.
    pub fn of(history: &'a PositionHistory<G>, view: View<'a>) -> DrawRequest<'a, G> {
        DrawRequest {
            position: history.position(),
            last: history.played().next_back(),
            outcome: history.outcome(),
            view,
        }
    }
}
