//! Boards with one piece per cell. Square boards are unchanged; hexagonal boards are sheared, so that neighbours stay
//! neighbours.

use kit::Side;

use super::super::fen::{EMPTY, Fen, HOLE, parse_rank, with_runs};
use super::super::square::Move;
use crate::half_moves::{CellNames, Point};

/// White's letters of the kinds of pieces. The pictures of the second have the colours of the opponent's first: players
/// who have exchanged colours place these.
const PIECES: [char; 2] = ['S', 'T'];

/// Maximum number of held pieces of a kind: XBoard has no room for three digits.
const MAX_HELD: usize = 99;

/// Properties of a game that its layout depends on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RowGame {
    /// Name of the game.
    pub(super) game: &'static str,
    /// Letters of White's and Black's pieces in position strings, also used for the side to move.
    letters: [char; 2],
    /// End of a position string after the colour to move.
    tail: Tail,
    names: CellNames,
    /// `true` if pieces are dropped from holdings.
    pub(super) has_drops: bool,
    /// Moves of the pieces on the board, in XBoard's notation.
    pub(super) moves: Option<&'static str>,
}

/// End of a position string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// A counter, 0 where XBoard's position lacks it.
    Counter,
    /// The number of the player who owns the first colour.
    Owner,
}

impl RowGame {
    /// White's letter of each kind of piece.
    pub(super) fn pieces(&self) -> &'static [char] {
        match self.tail {
            Tail::Counter => &PIECES[..1],
            Tail::Owner => &PIECES,
        }
    }
}

/// Games with such a board.
pub(super) static GAMES: [RowGame; 3] = [
    RowGame {
        game: "entropy",
        letters: ['o', 's'],
        tail: Tail::Counter,
        names: CellNames::Squares,
        has_drops: false,
        moves: Some("mQ"),
    },
    RowGame {
        game: "susan",
        letters: ['x', 'o'],
        tail: Tail::Counter,
        names: CellNames::CellsOfRow,
        has_drops: true,
        // The six directions of the sheared board: along files and ranks, and along one diagonal.
        moves: Some("mWfrblmF"),
    },
    RowGame {
        game: "projex",
        letters: ['x', 'o'],
        tail: Tail::Owner,
        names: CellNames::FilesAndRows,
        has_drops: true,
        moves: None,
    },
];

/// A board of such a game. Rows above the widest row are aligned right, rows below it left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows {
    game: &'static RowGame,
    /// Number of cells in each row, from the top.
    widths: Vec<u8>,
}

impl Rows {
    /// Reads the shape of the board from the game's start position.
    pub(super) fn new(game: &'static RowGame, start: &str) -> Rows {
        let rows = fields(start).0.split('/');
        let widths = rows.map(|row| cells_of(row).len() as u8).collect();
        Rows { game, widths }
    }

    pub(super) fn n_files(&self) -> u8 {
        self.widths.iter().copied().max().unwrap_or(0)
    }

    pub(super) fn n_ranks(&self) -> u8 {
        self.widths.len() as u8
    }

    /// Returns the largest `Size` that fits. Rows of a hexagonal board of size n have at most 2n-1 or 2n-2 cells.
    pub(super) fn max_size(&self, max_files: u8) -> u8 {
        let is_odd = self.n_files() % 2 == 1;
        (max_files + if is_odd { 1 } else { 2 }) / 2
    }

    /// Number of holes at the left end of a row.
    fn indent(&self, row: usize) -> usize {
        let widest = self.n_files();
        let is_above = self.widths[..=row].iter().all(|width| *width < widest);
        usize::from(widest - self.widths[row]) * usize::from(is_above)
    }

    /// Files that the cells of a row occupy.
    fn cells(&self, row: usize) -> std::ops::Range<usize> {
        let indent = self.indent(row);
        indent..indent + usize::from(self.widths[row])
    }

    pub(super) fn to_xboard(&self, position: &str) -> Fen {
        let (board, rest) = fields(position);
        let [first, _] = self.game.letters;
        let has_swapped = self.has_swapped(position);
        let content = |cell: char| match (cell, cell == first) {
            (EMPTY, _) => EMPTY,
            (_, is_first) if is_first != has_swapped => self.piece(position),
            _ => self.piece(position).to_ascii_lowercase(),
        };
        let rows = board.split('/').enumerate().map(|(row, text)| {
            let mut rank = vec![HOLE; usize::from(self.n_files())];
            for (at, cell) in self.cells(row).zip(cells_of(text)) {
                rank[at] = content(cell);
            }
            rank
        });
        let side = match rest.starts_with(first) != has_swapped {
            true => Side::P1,
            false => Side::P2,
        };
        Fen {
            ranks: rows.collect(),
            holdings: self.game.has_drops.then(|| self.stock()),
            side,
        }
    }

    /// `true` if White owns the second colour in this position.
    fn has_swapped(&self, position: &str) -> bool {
        self.game.tail == Tail::Owner && position.ends_with('2')
    }

    /// Returns White's letter of the pieces that both sides place in this position.
    fn piece(&self, position: &str) -> char {
        PIECES[usize::from(self.has_swapped(position))]
    }

    /// Holdings for an unlimited supply: a piece for each cell, up to [`MAX_HELD`]; where no piece moves, for each second
    /// cell.
    fn stock(&self) -> String {
        let n_cells: usize = self.widths.iter().map(|width| usize::from(*width)).sum();
        let pieces = self.game.pieces();
        let n_held = MAX_HELD.min(n_cells.div_ceil(pieces.len()));
        let held = pieces.iter().map(|piece| piece.to_string().repeat(n_held));
        let white: String = held.collect();
        let black = white.to_ascii_lowercase();
        white + &black
    }

    pub(super) fn to_game(&self, fen: &Fen) -> Result<String, String> {
        let rows = fen.ranks.iter().enumerate();
        let rows = rows.map(|(row, rank)| self.row_to_game(row, rank));
        let board = rows.collect::<Result<Vec<_>, _>>()?.join("/");
        let letters = self.game.letters;
        Ok(match self.game.tail {
            Tail::Counter => format!("{board} {} 0", letters[fen.side.index()]),
            Tail::Owner => {
                // The first colour moves first, so it is its turn if both have the same number of pieces.
                let [n_first, n_second] = letters.map(|letter| board.matches(letter).count());
                let (colour, owner) = match n_first == n_second {
                    true => (letters[0], fen.side),
                    false => (letters[1], fen.side.other()),
                };
                format!("{board} {colour} {}", owner.index() + 1)
            }
        })
    }

    fn row_to_game(&self, row: usize, rank: &[char]) -> Result<String, String> {
        let cells = self.cells(row);
        let is_hole = |(at, content): (usize, &char)| cells.contains(&at) != (*content == HOLE);
        if !rank.iter().enumerate().all(is_hole) {
            return Err(format!(
                "rank {} from the top: expected {} holes, {} squares, {} holes",
                row + 1,
                cells.start,
                cells.len(),
                rank.len() - cells.end
            ));
        }
        let letter = |content: &char| match content {
            'S' | 't' => Ok(Some(self.game.letters[0])),
            's' | 'T' => Ok(Some(self.game.letters[1])),
            &EMPTY => Ok(None),
            other => Err(format!("piece {other:?}: expected S or s")),
        };
        let row: Vec<_> = rank[cells].iter().map(letter).collect::<Result<_, _>>()?;
        Ok(with_runs(row.into_iter()))
    }

    /// Converts a move of the game; `None` if it names no cells.
    pub(super) fn mv(&self, position: &str, code: &str) -> Option<Move> {
        let step = code.split_once("->").or_else(|| code.split_once('-'));
        Some(match step {
            Some((from, to)) => Move::Step {
                from: self.square(from)?,
                to: self.square(to)?,
            },
            None => Move::Drop {
                piece: self.piece(position),
                to: self.square(code)?,
            },
        })
    }

    /// Returns the square of a cell, which may be beyond the board.
    pub(super) fn square(&self, cell: &str) -> Option<Point> {
        let indent = |row: u8| self.indent(usize::from(row)) as u8;
        self.game.names.point(cell, self.n_ranks(), indent)
    }
}

/// Splits a position string into the board and the rest.
fn fields(position: &str) -> (&str, &str) {
    position.split_once(' ').unwrap_or((position, ""))
}

/// Returns the cells of a row of the game's position string.
fn cells_of(row: &str) -> Vec<char> {
    parse_rank(row).unwrap_or_default()
}
