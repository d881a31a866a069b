//! The text of a game: move codes, position strings, the drawn board and the request for it.

pub use protocol::text::excerpt;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::{Game, OptionDecl, OptionKind, Options, Outcome, PositionHistory, Rejection, Side};
use draw::{
    Board, Gesture, Input, View,
    grid::{DrawnBoard, Grid},
};

/// The content of a position string: a board, a position on it, and moves to replay from there.
#[derive(Debug, Clone)]
pub struct Setup<G: Game> {
    /// The rules on the board that the string describes.
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
    /// Styles that the command `d` accepts in addition to the default.
    const STYLES: &'static [&'static str] = &[];

    /// The styles that also change the [`board`](Notation::board).
    const DIAGRAM_STYLES: &'static [&'static str] = &[];

    /// The styles, the empty one included, whose drawing of an unfinished game
    /// [`parse_position`](Notation::parse_position) can read back.
    const READABLE_STYLES: &'static [&'static str] = &[];

    /// Names and values of the options that shape this board, for `query game`.
    fn shape(&self) -> Vec<(&'static str, String)>;

    /// The canonical code of a move, without blanks.
    fn format_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// Reads a move code, which need not be canonical. The move exists on this board but may be illegal: see
    /// [`Game::check`].
    ///
    /// # Errors
    /// The reason. It need not repeat the code; the caller names it.
    fn parse_move(&self, position: &Self::Position, code: &str) -> Result<Self::Move, Rejection>;

    /// Splits a word into move codes, for games whose codes may be run together.
    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }

    /// The position string.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Reads a position string. The size in the string replaces this game's; all other options stay.
    fn parse_position(&self, text: &str) -> Result<Setup<Self>, Rejection>;

    /// The position string of a board in one of the [`READABLE_STYLES`](Notation::READABLE_STYLES), or in a style that
    /// shows less.
    fn drawn_fen(&self, _board: &DrawnBoard) -> Result<String, Rejection> {
        Err("a drawing of this game does not show the position".into())
    }

    /// The name of a player's side on the board, such as `x` or `red`; `p1` and `p2` if it has no other name.
    fn side_name(&self, _position: &Self::Position, side: Side) -> String {
        side.to_string()
    }

    /// An explanation of the position: why a finished game is won (`x wins: o is surrounded on c1`) or drawn (`draw: 6
    /// slides in a row`), or why a pass is the only legal move. `None` if there is nothing to explain. `outcome`
    /// includes repetition.
    fn explain(&self, position: &Self::Position, outcome: Option<Outcome>) -> Option<String>;

    /// The board for people: as text, as a picture, and for clients that let people click on it.
    fn board(&self, request: &DrawRequest<Self>) -> Board;
}

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

    /// `true` if no side is to move.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() || self.view.ending.is_some()
    }
}

impl<G: Notation> DrawRequest<'_, G> {
    /// The board, with the view's ending in place of the side to move.
    pub(crate) fn drawn(&self, game: &G) -> Board {
        let mut board = game.board(self);
        if let Some(ending) = self.view.ending {
            board.end(ending);
        }
        board
    }

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
        let mut board = Board {
            gestures: moves.into_iter().map(gesture).collect(),
            last: self.last.map(&input),
            owners: Side::BOTH,
            names,
            ..Board::default()
        };
        board.end(&caption);
        board
    }
}

/// The rows of the game's drawn boards, with each option that shapes the board at each of its values; `None` if a
/// drawing does not show the position. They are made once.
pub fn grid<G: Notation>() -> Option<&'static Grid> {
    static GRIDS: Mutex<BTreeMap<&str, &Grid>> = Mutex::new(BTreeMap::new());
    let make = || {
        let games = games_of_each_shape::<G>();
        let boards = games.iter().flat_map(|game| {
            G::READABLE_STYLES.iter().map(|style| {
                game.board(&DrawRequest {
                    position: &game.start(),
                    last: None,
                    outcome: None,
                    view: View::styled(style),
                })
            })
        });
        &*Box::leak(Box::new(Grid::of(boards)))
    };
    let mut grids = GRIDS.lock().unwrap_or_else(PoisonError::into_inner);
    (!G::READABLE_STYLES.is_empty()).then(|| *grids.entry(G::NAME).or_insert_with(make))
}

fn games_of_each_shape<G: Notation>() -> Vec<G> {
    let default = Options::new(G::options());
    let shape = G::new(&default).shape();
    let shapes = |decl: &OptionDecl| shape.iter().any(|(name, _)| *name == decl.name);
    let mut games = Vec::new();
    for decl in default.declared().filter(|decl| shapes(decl)) {
        if let OptionKind::Spin { min, max, .. } = decl.kind {
            for value in min..=max {
                let mut options = default.clone();
                options
                    .set(&decl.name, Some(&value.to_string()))
                    .expect("a value in its range");
                games.push(G::new(&options));
            }
        }
    }
    if games.is_empty() {
        games.push(G::new(&default));
    }
    games
}

/// Options as `NAME=VALUE`, separated by blanks.
pub(crate) fn assignments(options: Vec<(&'static str, String)>) -> String {
    let words = options
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    words.collect::<Vec<_>>().join(" ")
}
