//! Maps a game's cells, moves and positions to XBoard's board.
//!
//! A layout is data: the letters in the game's position strings, and the mapping from cell names to squares. Hexagonal
//! boards are sheared to squares, so that neighbours stay neighbours. Gobblet's stacks are laid out flat, with one square
//! per size: no piece is hidden, no move captures, and XBoard need not know which piece a move uncovers. Squares that
//! belong to no cell are holes.

use std::collections::BTreeMap;

use kit::Side;

use super::fen::{EMPTY, Fen, HOLE, parse_rank, with_runs};
use super::square::{BLACK_HOLDINGS, Move, RankNumbers};
use crate::points::{CellNames, Point};

/// Maximum number of files in XBoard, including two on each side for the holdings.
const MAX_FILES: usize = 16;

/// Maximum number of held pieces of a kind: XBoard has no room for three digits.
const MAX_HELD: usize = 99;

/// The properties of a game that decide its layout.
#[derive(Debug, PartialEq, Eq)]
struct XboardGame {
    name: &'static str,
    /// White's letters of the kinds of pieces, in the order of XBoard's table. Gobblet has a kind for each size. The
    /// pictures of Projex's second kind have the colours of the opponent's first: players who have exchanged colours
    /// place these.
    letters: &'static [char],
    /// Letters of the first and the second colour in position strings, also used for the side to move.
    colours: [char; 2],
    tail: Tail,
    names: CellNames,
    /// `true` if pieces are dropped from holdings.
    has_holdings: bool,
    /// The moves of the pieces in XBoard's notation, if it can express them.
    moves: Option<&'static str>,
    /// The largest `Size` that fits.
    max_size: u8,
}

/// End of a position string, after the colour to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    Nothing,
    /// A counter, 0 where XBoard's position lacks it.
    Counter,
    /// The number of the player who owns the first colour.
    Owner,
}

/// Games that fit XBoard's board.
static GAMES: [XboardGame; 4] = [
    XboardGame {
        name: "entropy",
        letters: &['S'],
        colours: ['o', 's'],
        tail: Tail::Counter,
        names: CellNames::Squares,
        has_holdings: false,
        moves: Some("mQ"),
        max_size: 5,
    },
    XboardGame {
        name: "gobblet",
        letters: &['A', 'B', 'C', 'D'],
        colours: ['r', 'y'],
        tail: Tail::Nothing,
        names: CellNames::Squares,
        has_holdings: true,
        moves: None,
        max_size: 4,
    },
    XboardGame {
        name: "susan",
        letters: &['S'],
        colours: ['x', 'o'],
        tail: Tail::Counter,
        names: CellNames::CellsOfRow,
        has_holdings: true,
        // The six directions of the sheared board: along files and ranks, and along one diagonal.
        moves: Some("mWfrblmF"),
        max_size: 6,
    },
    XboardGame {
        name: "projex",
        letters: &['S', 'T'],
        colours: ['x', 'o'],
        tail: Tail::Owner,
        names: CellNames::FilesAndRows,
        has_holdings: true,
        moves: None,
        max_size: 7,
    },
];

/// Layout of a game on XBoard's board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// XBoard's variant name: the name of the game, which no chess variant has.
    pub variant: &'static str,
    game: &'static XboardGame,
    /// White's letter of each kind of piece on this board.
    pub(crate) letters: &'static [char],
    /// Number of cells in each row, from the top. Rows above the widest one are aligned right, rows below it left.
    widths: Vec<u8>,
    /// Number of squares of a cell: one, but in Gobblet one for each size.
    n_sizes: u8,
    /// Files and ranks of a cell's block of squares, and from one cell to the next: between blocks of several squares is
    /// a line of holes.
    block: [u8; 2],
    stride: [u8; 2],
    /// Files of the board, without the holdings.
    n_files: u8,
    n_ranks: u8,
}

/// A cell, by its column and row on a board with one square for each.
type Cell = Point;

/// Returns the reason why a game that is not played on cells has no layout.
pub(crate) fn no_cells(game: &str) -> String {
    format!("{game} does not fit XBoard's board of squares. Use linesman gui {game}")
}

/// Returns the reason why a board has no layout. `max_size` is the largest size that fits.
fn too_large(game: &str, max_size: u8) -> String {
    format!("{game}: the board does not fit XBoard's 16 files: use Size up to {max_size}")
}

impl Layout {
    /// Makes the layout of a game from the position string of its start position.
    ///
    /// # Errors
    /// The game has no layout, or the board is too large.
    pub(crate) fn new(name: &str, start: &str) -> Result<Layout, String> {
        let mut games = GAMES.iter();
        let game = games.find(|game| game.name == name);
        let game = game.ok_or_else(|| no_cells(name))?;
        let has_stacks = game.name == "gobblet";
        let rows = board_of(start).split('/');
        let widths: Vec<u8> = rows
            .map(|row| cells_of(row, has_stacks).len() as u8)
            .collect();
        let n_rows = widths.len() as u8;
        // On a board of Gobblet, the number of sizes is the number of rows. Four squares in a row would exceed XBoard's
        // number of files.
        let (n_sizes, letters, block) = match n_rows {
            3 if has_stacks => (3, &game.letters[..3], [3, 1]),
            _ if has_stacks => (4, game.letters, [2, 2]),
            _ => (1, game.letters, [1, 1]),
        };
        let stride = block.map(|n| if n == 1 { 1 } else { n + 1 });
        let widest = widths.iter().copied().max().unwrap_or(1);
        let layout = Layout {
            variant: game.name,
            game,
            letters,
            widths,
            n_sizes,
            block,
            stride,
            n_files: (widest - 1) * stride[0] + block[0],
            n_ranks: (n_rows - 1) * stride[1] + block[1],
        };
        match layout.n_shown_files() > MAX_FILES {
            true => Err(too_large(name, game.max_size)),
            false => Ok(layout),
        }
    }

    /// Number of files that XBoard shows, including the holdings.
    pub(crate) fn n_shown_files(&self) -> usize {
        let n_held = if self.game.has_holdings { 4 } else { 0 };
        usize::from(self.n_files) + n_held
    }

    /// Notation of squares and moves on this board.
    pub(crate) fn numbers(&self) -> RankNumbers {
        let n_ranks = self.n_ranks;
        RankNumbers { n_ranks }
    }

    /// Returns the `setup` line with piece table, board size and position. The table has White's half, then Black's. The
    /// first slot of each half is the pawn, the last the king; both stay empty. XBoard rejects a table of less than twelve
    /// slots.
    pub(crate) fn setup(&self, position: &str) -> String {
        let n_held = self.letters.len() * usize::from(self.game.has_holdings);
        let (n_files, n_ranks) = (self.n_files, self.n_ranks);
        let letters: String = self.letters.iter().collect();
        let (half, fen) = (format!(".{letters:.<5}"), self.to_xboard(position));
        let other_half = half.to_ascii_lowercase();
        format!("setup ({half}{other_half}) {n_files}x{n_ranks}+{n_held}_fairy {fen}")
    }

    /// Returns the `piece` line with the moves of the pieces, as in `piece S& mQ`, if XBoard's notation can express
    /// them.
    pub(crate) fn piece_moves(&self) -> Option<String> {
        Some(format!("piece {}& {}", self.letters[0], self.game.moves?))
    }

    /// Number of holes at the left end of a row, counted from the top.
    fn indent(&self, row: u8) -> u8 {
        let row = usize::from(row);
        let widest = self.widths.iter().copied().max().unwrap_or(0);
        let is_above = self.widths[..=row].iter().all(|width| *width < widest);
        (widest - self.widths[row]) * u8::from(is_above)
    }

    /// Iterates over the cells of a row, counted from the top.
    fn row(&self, row: u8) -> impl Iterator<Item = Cell> {
        let (indent, width) = (self.indent(row), self.widths[usize::from(row)]);
        let from_bottom = self.widths.len() as u8 - 1 - row;
        (indent..indent + width).map(move |column| Cell {
            column,
            row: from_bottom,
        })
    }

    /// Returns the cell of this name, if the board has it.
    fn cell(&self, name: &str) -> Option<Cell> {
        let n_rows = self.widths.len() as u8;
        let names = self.game.names;
        let cell = names.point(name, n_rows, |row| self.indent(row))?;
        let row = n_rows.checked_sub(cell.row + 1)?;
        self.row(row).find(|own| *own == cell)
    }

    /// Returns the square of a size in a cell: in its block from the left, the upper line first.
    fn square_of(&self, cell: Cell, size: u8) -> Point {
        let ([files, ranks], [width, height]) = (self.stride, self.block);
        let (file, line) = ((size - 1) % width, (size - 1) / width);
        Point {
            column: cell.column * files + file,
            row: cell.row * ranks + height - 1 - line,
        }
    }

    /// `true` if White owns the second colour in this position.
    fn has_swapped(&self, position: &str) -> bool {
        self.game.tail == Tail::Owner && position.ends_with('2')
    }

    /// Returns the letter of a piece that a side places in this position.
    fn letter(&self, position: &str, side: Side, size: u8) -> char {
        let kind = usize::from(size) - 1 + usize::from(self.has_swapped(position));
        let capital = self.letters[kind];
        match side {
            Side::P1 => capital,
            Side::P2 => capital.to_ascii_lowercase(),
        }
    }

    /// Returns the side that a colour in a position string belongs to; `None` for other letters.
    fn owner(&self, position: &str, colour: char) -> Option<Side> {
        let mut colours = self.game.colours.into_iter();
        let side = Side::BOTH[colours.position(|own| own == colour)?];
        let has_swapped = self.has_swapped(position);
        Some(if has_swapped { side.other() } else { side })
    }

    /// Returns the owner of each piece of a position, by cell and size.
    fn pieces(&self, position: &str) -> BTreeMap<(Cell, u8), Side> {
        let mut pieces = BTreeMap::new();
        for (row, text) in (0..).zip(board_of(position).split('/')) {
            for (cell, stack) in self.row(row).zip(cells_of(text, self.n_sizes > 1)) {
                // From the bottom up: the colour of each piece, and its size if there are several.
                let mut signs = stack.chars();
                while let Some(colour) = signs.next() {
                    let size = signs.next().and_then(|size| size.to_digit(10));
                    let owner = self.owner(position, colour);
                    pieces.extend(owner.map(|owner| ((cell, size.unwrap_or(1) as u8), owner)));
                }
            }
        }
        pieces
    }

    /// Returns the size of the visible piece of a cell; `None` if the cell is empty.
    fn visible_size(&self, position: &str, cell: Cell) -> Option<u8> {
        let pieces = self.pieces(position);
        let mut stack = pieces.range((cell, 0)..=(cell, u8::MAX));
        stack.next_back().map(|((_, size), _)| *size)
    }

    /// Returns the ranks of an empty board.
    fn empty_ranks(&self) -> Vec<Vec<char>> {
        let mut ranks = vec![vec![HOLE; self.n_files.into()]; self.n_ranks.into()];
        for cell in (0..self.widths.len() as u8).flat_map(|row| self.row(row)) {
            for size in 1..=self.n_sizes {
                *self.at(&mut ranks, self.square_of(cell, size)) = EMPTY;
            }
        }
        ranks
    }

    fn at<'r>(&self, ranks: &'r mut [Vec<char>], square: Point) -> &'r mut char {
        &mut ranks[usize::from(self.n_ranks - 1 - square.row)][usize::from(square.column)]
    }

    /// Converts a position string of the game to XBoard's dialect.
    pub(crate) fn to_xboard(&self, position: &str) -> Fen {
        let mut ranks = self.empty_ranks();
        for ((cell, size), owner) in self.pieces(position) {
            let square = self.square_of(cell, size);
            *self.at(&mut ranks, square) = self.letter(position, owner, size);
        }
        let to_move = position[board_of(position).len()..].trim_start();
        let to_move = to_move.chars().next();
        let side = to_move.and_then(|colour| self.owner(position, colour));
        Fen {
            holdings: self.game.has_holdings.then(|| self.holdings(&ranks)),
            ranks,
            side: side.unwrap_or(Side::P1),
        }
    }

    /// Returns the pieces that are not on the board. Where the supply is unlimited, it is a piece for each cell that the
    /// pieces of this kind can fill, up to [`MAX_HELD`].
    fn holdings(&self, ranks: &[Vec<char>]) -> String {
        let n_cells: usize = self.widths.iter().map(|width| usize::from(*width)).sum();
        let n_of_a_kind = match self.n_sizes {
            1 => MAX_HELD.min(n_cells.div_ceil(self.letters.len())),
            n_sizes => usize::from(n_sizes) - 1,
        };
        let white = self.letters.iter().copied();
        let black = white.clone().map(|letter| letter.to_ascii_lowercase());
        let held = white.chain(black).map(|letter| {
            let squares = ranks.iter().flatten();
            let n_placed = squares.filter(|square| **square == letter).count();
            letter
                .to_string()
                .repeat(n_of_a_kind.saturating_sub(n_placed))
        });
        held.collect()
    }

    /// Converts a position of XBoard to a position string of the game. Counters that XBoard lacks, such as consecutive
    /// slides, start at 0. The holdings follow from the board and are ignored. The rules may still reject the result.
    ///
    /// # Errors
    /// The position does not fit this board; the text is meant for users.
    pub(crate) fn to_game(&self, fen: &Fen) -> Result<String, String> {
        self.check_shape(fen)?;
        let rows = (0..self.widths.len() as u8).map(|row| {
            let stacks = self.row(row).map(|cell| self.stack(fen, cell));
            let stacks = stacks.collect::<Result<Vec<_>, _>>()?;
            Ok(match self.n_sizes {
                1 => with_runs(stacks.concat().chars()),
                _ => stacks.join(","),
            })
        });
        let board = rows.collect::<Result<Vec<_>, String>>()?.join("/");
        let colours = self.game.colours;
        let to_move = colours[fen.side.index()];
        Ok(match self.game.tail {
            Tail::Nothing => format!("{board} {to_move}"),
            Tail::Counter => format!("{board} {to_move} 0"),
            Tail::Owner => {
                // The first colour moves first, so it is its turn if both have the same number of pieces.
                let [n_first, n_second] = colours.map(|colour| board.matches(colour).count());
                let (colour, owner) = match n_first == n_second {
                    true => (colours[0], fen.side),
                    false => (colours[1], fen.side.other()),
                };
                format!("{board} {colour} {}", owner.index() + 1)
            }
        })
    }

    /// Checks the number of ranks and files, and the holes.
    fn check_shape(&self, fen: &Fen) -> Result<(), String> {
        let (n_files, n_ranks) = (usize::from(self.n_files), usize::from(self.n_ranks));
        let has_width = |rank: &Vec<char>| rank.len() == n_files;
        if fen.ranks.len() != n_ranks || !fen.ranks.iter().all(has_width) {
            return Err(format!("the board has {n_ranks} ranks of {n_files} files"));
        }
        for (number, (rank, own)) in (1..).zip(fen.ranks.iter().zip(self.empty_ranks())) {
            let mut squares = rank.iter().zip(&own);
            if squares.any(|(square, own)| (*square == HOLE) != (*own == HOLE)) {
                let own = with_runs(own);
                return Err(format!(
                    "rank {number} from the top: its squares and holes are {own}"
                ));
            }
        }
        Ok(())
    }

    /// Returns the pieces on a cell as in a position string.
    fn stack(&self, fen: &Fen, cell: Cell) -> Result<String, String> {
        let mut stack = String::new();
        for size in 1..=self.n_sizes {
            let piece = fen.at(self.square_of(cell, size)).unwrap_or(EMPTY);
            if piece == EMPTY {
                continue;
            }
            let kinds = match self.n_sizes {
                1 => self.letters,
                _ => &self.letters[usize::from(size) - 1..][..1],
            };
            let mut kinds_by_number = kinds.iter().enumerate();
            let kind = kinds_by_number.find(|(_, letter)| piece.eq_ignore_ascii_case(letter));
            let Some((kind, _)) = kind else {
                let letters: String = kinds.iter().collect();
                let others = letters.to_ascii_lowercase();
                return Err(format!(
                    "piece {piece:?} on a square of {letters} and {others}"
                ));
            };
            // The second kind has the opponent's colour.
            let is_second = piece.is_ascii_lowercase() != (kind == 1);
            stack.push(self.game.colours[usize::from(is_second)]);
            stack.extend((self.n_sizes > 1).then(|| char::from(b'0' + size)));
        }
        if stack.is_empty() {
            stack.push(EMPTY);
        }
        Ok(stack)
    }

    /// Converts a legal move of the game. An exchange of colours leaves XBoard's board as it is, like a pass.
    pub(crate) fn mv(&self, position: &str, code: &str) -> Move {
        let convert = || {
            let square = |name: &str, size| Some(self.square_of(self.cell(name)?, size));
            let step = code.split_once("->").or_else(|| code.split_once('-'));
            if let Some((from, to)) = step {
                let size = self.visible_size(position, self.cell(from)?)?;
                let (from, to) = (square(from, size)?, square(to, size)?);
                return Some(Move::Step { from, to });
            }
            let (size, to) = code.split_once('@').unwrap_or(("1", code));
            let size = size.parse().ok()?;
            Some(Move::Drop {
                piece: self.letter(position, Side::P1, size),
                to: square(to, size)?,
            })
        };
        match code {
            "pass" | "swap" => Move::Pass,
            _ => convert().expect("a legal code names cells of the board"),
        }
    }

    /// Returns the square of a cell of the game; on a board of stacks, that of its visible piece.
    pub(crate) fn square(&self, position: &str, name: &str) -> Option<Point> {
        let cell = self.cell(name)?;
        let size = self.visible_size(position, cell).unwrap_or(1);
        Some(self.square_of(cell, size))
    }

    /// Returns the mover's pieces as colours for `highlight`, red for each.
    pub(crate) fn mark_movers(&self, position: &str) -> String {
        let fen = self.to_xboard(position);
        let is_white = fen.side == Side::P1;
        let is_own =
            |piece: char| piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == is_white;
        self.marks(RED, |square| fen.at(square).is_some_and(is_own))
    }

    /// Returns the covered pieces as colours for `highlight`, red for each; `None` if no piece is covered.
    pub(crate) fn mark_covered(&self, position: &str) -> Option<String> {
        let pieces: Vec<(Cell, u8)> = self.pieces(position).into_keys().collect();
        // The pieces of a cell follow one another, the largest last.
        let covered = pieces.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let covered: Vec<Point> = covered
            .map(|pair| self.square_of(pair[0].0, pair[0].1))
            .collect();
        (!covered.is_empty()).then(|| self.marks(RED, |square| covered.contains(&square)))
    }

    /// Returns the target squares of a piece as colours for `highlight`, yellow for each. The piece is on `from`, or in
    /// the holdings if `from` is beyond the board. `None` if there is no such piece.
    pub(crate) fn highlight(
        &self,
        position: &str,
        codes: &[String],
        from: Point,
    ) -> Option<String> {
        let fen = self.to_xboard(position);
        let held = self.held_at(from, fen.side);
        if held.is_none() && fen.at(from).is_none() {
            return None;
        }
        let target = |code: &String| match self.mv(position, code) {
            Move::Step { from: own, to } if own == from => Some(to),
            Move::Drop { piece, to } if held == Some(piece) => Some(to),
            _ => None,
        };
        let targets: Vec<Point> = codes.iter().filter_map(target).collect();
        Some(self.marks(YELLOW, |square| targets.contains(&square)))
    }

    /// Returns the letter of the mover's held piece that XBoard shows at this square. White's pieces are on the right
    /// from the bottom, Black's on the left from the top.
    fn held_at(&self, square: Point, side: Side) -> Option<char> {
        let (file, place) = match side {
            Side::P1 => (self.n_files + 1, square.row),
            Side::P2 => (BLACK_HOLDINGS, self.n_ranks.checked_sub(square.row + 1)?),
        };
        let is_held = self.game.has_holdings && file == square.column;
        let letter = self.letters.get(usize::from(place)).filter(|_| is_held);
        letter.copied()
    }

    /// Returns a colour for `highlight` on some squares.
    fn marks(&self, colour: char, is_marked: impl Fn(Point) -> bool) -> String {
        let ranks = (0..self.n_ranks).rev().map(|row| {
            with_runs((0..self.n_files).map(|column| {
                let is_marked = is_marked(Point { column, row });
                if is_marked { colour } else { EMPTY }
            }))
        });
        ranks.collect::<Vec<_>>().join("/")
    }
}

/// Marks of `highlight`: a capital makes its square a target.
const RED: char = 'r';
const YELLOW: char = 'Y';

/// Returns the board of a position string.
fn board_of(position: &str) -> &str {
    position.split(' ').next().unwrap_or_default()
}

/// Splits a row of a position string: cells with one piece are letters and runs of empty ones, stacks have commas.
fn cells_of(row: &str, has_stacks: bool) -> Vec<String> {
    if has_stacks {
        return row.split(',').map(str::to_owned).collect();
    }
    let cells = parse_rank(row).unwrap_or_default();
    cells.into_iter().map(String::from).collect()
}

#[cfg(test)]
mod tests;
