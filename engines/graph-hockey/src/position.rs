//! The game on one board, its positions and its moves.

use std::sync::{Arc, LazyLock};

use kit::hash::zobrist;
use kit::network::Network;
use kit::weights::built_in;

use crate::field::Field;
use crate::geometry::{Geometry, Piece};
use crate::input_table::Learned;
use crate::moves::{Move, Moves};
use crate::plane::{GridPoint, Segment};

/// The network for the default field, trained by `linesman-lab learn`; `spec/lab.md` lists the commands.
static NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| built_in(include_bytes!("graph-hockey.net")));
static LEARNED: LazyLock<Arc<Learned>> =
    LazyLock::new(|| Arc::new(Learned::new(Arc::clone(&NETWORK), &DEFAULT_BOARD)));
/// Shared by all games on the default field: it takes milliseconds.
static DEFAULT_BOARD: LazyLock<Arc<Geometry>> =
    LazyLock::new(|| Arc::new(Geometry::new(DEFAULT_FIELD)));
pub(crate) const DEFAULT_FIELD: Field = Field { side: 4, gap: 8 };

/// Graph Hockey on a field of one size.
#[derive(Debug, Clone)]
pub struct GraphHockey {
    pub(crate) board: Arc<Geometry>,
    /// The network that evaluates positions on the default field; `None` on other fields.
    pub(crate) learned: Option<Arc<Learned>>,
}

/// All drawn lines, and the location of the puck.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// The moves since the beginning; their number determines the side to move.
    pub(crate) path: Vec<Move>,
    pub(crate) puck: GridPoint,
    /// The drawn pieces, eight bits for each cell of the board.
    pub(crate) cells: Vec<u8>,
    /// Hash of the drawn pieces.
    pub(crate) drawn: u64,
    /// Moves since the last one that drew anything new.
    pub(crate) idle: u32,
}

/// The changes by a move, except that of the puck.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    pub(crate) drawn: u64,
    pub(crate) idle: u32,
    /// The new pieces among those of the move, one bit each.
    pub(crate) new_pieces: u8,
}

/// The permitted conflict of a move with earlier lines, in the order in which the levels are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// No touching or crossing.
    Ordinary,
    /// Crossing.
    FreeJump,
    /// Any conflict.
    Strangeness,
}

impl GraphHockey {
    pub(crate) fn on(field: Field) -> GraphHockey {
        if field == DEFAULT_FIELD {
            return GraphHockey {
                board: Arc::clone(&DEFAULT_BOARD),
                learned: Some(Arc::clone(&LEARNED)),
            };
        }
        GraphHockey {
            board: Arc::new(Geometry::new(field)),
            learned: None,
        }
    }

    /// The same game on a field of another size.
    pub(crate) fn resized(&self, field: Field) -> GraphHockey {
        match field == *self.field() {
            true => self.clone(),
            false => GraphHockey::on(field),
        }
    }

    pub(crate) fn field(&self) -> &Field {
        &self.board.field
    }

    /// The initial segment and the lines of all moves, in the order drawn.
    pub(crate) fn lines(&self, position: &Position) -> impl Iterator<Item = Segment> {
        let initial = self.field().initial_segment();
        let mut puck = initial.to;
        let drawn = position.path.iter().map(move |mv| {
            let from = puck;
            puck = from + mv.step();
            Segment { from, to: puck }
        });
        std::iter::once(initial).chain(drawn)
    }

    /// The level in force and its moves.
    pub(crate) fn level(&self, position: &Position) -> (Level, Moves) {
        let (board, cells) = (&*self.board, &position.cells[..]);
        let at = board.cell(position.puck);
        let clear = board.clear(cells, at);
        if clear.0 != 0 {
            return (Level::Ordinary, clear);
        }
        let jumps = board.jumps(cells, at);
        if jumps.0 != 0 {
            return (Level::FreeJump, jumps);
        }
        (Level::Strangeness, self.field().moves_inside(position.puck))
    }
}

impl Position {
    /// The cells from a point to the right, then those above it, row by row.
    pub(crate) fn rows_of_cells(
        &self,
        board: &Geometry,
        from: GridPoint,
    ) -> impl Iterator<Item = &[u8]> {
        self.cells[board.cell(from)..].chunks(board.stride as usize)
    }

    /// Draws the pieces of a move from a cell's point. Returns the new ones, one bit each.
    pub(crate) fn draw(&mut self, board: &Geometry, at: usize, mv: Move) -> u8 {
        let mut new_pieces = 0;
        for (i, piece) in board.pieces(at, mv).enumerate() {
            let cell = &mut self.cells[piece.cell];
            if *cell >> piece.kind & 1 == 0 {
                *cell |= 1 << piece.kind;
                self.drawn ^= piece_key(piece);
                new_pieces |= 1 << i;
            }
        }
        new_pieces
    }

    pub(crate) fn erase(&mut self, board: &Geometry, at: usize, mv: Move, new_pieces: u8) {
        for (i, piece) in board.pieces(at, mv).enumerate() {
            self.cells[piece.cell] &= !((new_pieces >> i & 1) << piece.kind);
        }
    }
}

fn piece_key(piece: Piece) -> u64 {
    zobrist(piece.cell as u64 * 8 + u64::from(piece.kind))
}
