//! How a game is written: move codes, position strings, the drawn board.

use std::fmt;

pub use protocol::text::excerpt;

use crate::{Diagram, DrawRequest, FigureLine, Game, Outcome, Side, TextBoard};

/// Why a text or a move is not accepted, in words for a person: lower case, no full stop, what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection(pub String);

impl<T: Into<String>> From<T> for Rejection {
    fn from(text: T) -> Rejection {
        Rejection(text.into())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The content of a position string: a board, a position on it, and moves to replay from there.
#[derive(Debug, Clone)]
pub struct Setup<G: Game> {
    /// The rules, on the board that the string describes.
    pub game: G,
    /// The position before the moves.
    pub position: G::Position,
    /// Moves in the string, not yet checked. Empty unless the game's string is a list of moves.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Setup<G> {
    /// A position without moves.
    pub fn at((game, position): (G, G::Position)) -> Setup<G> {
        Setup {
            game,
            position,
            moves: Vec::new(),
        }
    }
}

/// The text of a game: move codes, position strings, drawn boards.
pub trait Notation: Game {
    /// Styles that `d` accepts besides the default.
    const STYLES: &'static [&'static str] = &[];

    /// Those of the styles that also change the [`diagram`](Notation::diagram).
    const DIAGRAM_STYLES: &'static [&'static str] = &[];

    /// The styles, the empty one included, in which a drawn board of a game that goes on is read back by
    /// [`parse_position`](Notation::parse_position).
    const READABLE_STYLES: &'static [&'static str] = &[];

    /// Names and values of the options that shape the current board, for `query game`.
    fn shape(&self) -> Vec<(&'static str, String)>;

    /// The canonical code of a move; it holds no blank.
    fn format_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// Reads a move code, which need not be canonical. The move exists on this board but may be illegal: see
    /// [`Game::check`]. The error need not repeat the code; the caller names it.
    fn parse_move(&self, position: &Self::Position, code: &str) -> Result<Self::Move, Rejection>;

    /// Splits a word into move codes, for games whose codes may be run together.
    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }

    /// The position string.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Reads a position string. The size in the string replaces this game's; all other options stay. A text of several
    /// lines is a drawn board, if the game can read one.
    fn parse_position(&self, text: &str) -> Result<Setup<Self>, Rejection>;

    /// What a line of a pasted text is to a drawn board whose rows so far are `above`. The line is
    /// [cleaned](crate::figure::clean), with its margin. A text that holds the rows in turn, and below them the lines that
    /// are [`Turn`](FigureLine::Turn) or [`Foot`](FigureLine::Foot), is read by [`parse_position`](Notation::parse_position).
    fn figure_line(_above: &[String], _line: &str) -> FigureLine {
        FigureLine::Other
    }

    /// What a player's side is called on the board, such as `x` or `red`; `p1` and `p2` where it has no other name.
    fn side_name(&self, _position: &Self::Position, side: Side) -> String {
        side.to_string()
    }

    /// What a person may ask about this position: why a finished game is won (`x wins: o is surrounded on c1`) or drawn
    /// (`draw: 6 slides in a row`), or why the only legal move is one that no player would choose, as a pass. `None` where
    /// nothing needs saying. `outcome` counts repetition.
    fn explain(&self, position: &Self::Position, outcome: Option<Outcome>) -> Option<String>;

    /// The board for a person, as text. Each spot of the [`diagram`](Notation::diagram) has a place on it.
    fn draw(&self, request: &DrawRequest<Self>) -> TextBoard;

    /// The board as data, to be drawn and clicked.
    fn diagram(&self, request: &DrawRequest<Self>) -> Diagram;
}
