//! Maps a game's cells, moves and positions to XBoard's board.
//!
//! A layout is data: the letters in the game's position strings, and the mapping from cell names to squares. Hexagonal
//! boards are sheared to squares, so that neighbours stay neighbours. Gobblet's stacks are laid out flat, with one square
//! per size: no piece is hidden, no move captures, and XBoard need not know which piece a move uncovers. Squares that
//! belong to no cell are holes.

use kit::Side;
use protocol::text::one_line;

use super::notation::{EMPTY, Fen, HOLE, Move, parse_rank, with_runs};
use crate::points::{CellNames, Point};

/// Maximum number of files in XBoard, including two on each side for the holdings.
const MAX_FILES: u8 = 16;

/// File of Black's holdings, two to the left of `a`.
pub(super) const BLACK_HOLDINGS: u8 = 0_u8.wrapping_sub(2);

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
        has_holdings: false,
        moves: Some("mQ"),
        max_size: 5,
    },
    XboardGame {
        name: "gobblet",
        letters: &['A', 'B', 'C', 'D'],
        colours: ['r', 'y'],
        tail: Tail::Nothing,
        has_holdings: true,
        moves: None,
        max_size: 4,
    },
    XboardGame {
        name: "susan",
        letters: &['S'],
        colours: ['x', 'o'],
        tail: Tail::Counter,
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
    /// The cells of each row, from the top. Rows above the widest one are aligned right, rows below it left.
    rows: Vec<Vec<Cell>>,
    /// Files of the board, without the holdings.
    n_files: u8,
    n_ranks: u8,
}

/// A cell of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    /// Its point on a board with one square for each cell.
    at: Point,
    /// Its squares: one, but in Gobblet one for each size, the smallest first.
    squares: Vec<Point>,
}

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
        let game = GAMES.iter().find(|game| game.name == name);
        let game = game.ok_or_else(|| no_cells(name))?;
        let has_stacks = game.name == "gobblet";
        let rows = start.split(' ').next().unwrap_or_default().split('/');
        let widths: Vec<u8> = rows
            .map(|row| cells_of(row, has_stacks).len() as u8)
            .collect();
        let n_rows = widths.len() as u8;
        // On a board of Gobblet, the number of sizes is the number of rows. Four squares in a row would exceed XBoard's
        // number of files.
        let (n_sizes, [width, height]) = match n_rows {
            3 if has_stacks => (3, [3, 1]),
            _ if has_stacks => (4, [2, 2]),
            _ => (1, [1, 1]),
        };
        // Between blocks of several squares is a line of holes.
        let [files, ranks] = [width, height].map(|n| if n == 1 { 1 } else { n + 1 });
        let widest = widths.iter().copied().max().unwrap_or(1);
        let (n_files, n_ranks) = ((widest - 1) * files + width, (n_rows - 1) * ranks + height);
        let cell = |column, row| Cell {
            at: Point {
                column,
                row: n_rows - 1 - row,
            },
            // In a block from the left, the upper line first.
            squares: (0..n_sizes)
                .map(|size| Point {
                    column: column * files + size % width,
                    row: n_ranks - 1 - row * ranks - size / width,
                })
                .collect(),
        };
        let mut is_above = true;
        let rows = (0..).zip(widths).map(|(row, n)| {
            is_above &= n < widest;
            let indent = (widest - n) * u8::from(is_above);
            (indent..indent + n)
                .map(|column| cell(column, row))
                .collect()
        });
        let layout = Layout {
            variant: game.name,
            game,
            letters: match n_sizes {
                1 => game.letters,
                _ => &game.letters[..n_sizes.into()],
            },
            rows: rows.collect(),
            n_files,
            n_ranks,
        };
        match layout.n_shown_files() > usize::from(MAX_FILES) {
            true => Err(too_large(name, game.max_size)),
            false => Ok(layout),
        }
    }

    /// Number of files that XBoard shows, including the holdings.
    pub(crate) fn n_shown_files(&self) -> usize {
        let n_held = if self.game.has_holdings { 4 } else { 0 };
        usize::from(self.n_files) + n_held
    }

    /// Formats a square, as in `e4`. Ranks count from 1, but from 0 on boards with ten, so that one digit is enough. XBoard
    /// continues the letters beyond both ends of the board, so the file of Black's holdings is `_`.
    pub(crate) fn write_square(&self, square: Point) -> String {
        let file = char::from(b'a'.wrapping_add(square.column));
        format!("{file}{}", square.row + u8::from(self.n_ranks != 10))
    }

    /// Parses a square of the board or of the holdings.
    pub(crate) fn read_square(&self, text: &str) -> Option<Point> {
        let rows = 0..self.n_ranks;
        let column = |column| rows.clone().map(move |row| Point { column, row });
        let mut squares = (0..MAX_FILES).chain([BLACK_HOLDINGS]).flat_map(column);
        squares.find(|square| self.write_square(*square) == text)
    }

    /// Formats a move: `e2e4`, `S@e4` or `@@@@`.
    pub(crate) fn write_move(&self, mv: Move) -> String {
        match mv {
            Move::Pass => "@@@@".to_owned(),
            Move::Drop { piece, to } => format!("{piece}@{}", self.write_square(to)),
            Move::Step { from, to } => self.write_square(from) + &self.write_square(to),
        }
    }

    /// Returns the `setup` line with piece table, board size and position. The table has White's half, then Black's. The
    /// first slot of each half is the pawn, the last the king; both stay empty. XBoard rejects a table of less than twelve
    /// slots.
    pub(crate) fn setup(&self, position: &str) -> String {
        let letters: String = self.letters.iter().collect();
        let half = format!(".{letters:.<5}");
        let (other_half, size) = (half.to_ascii_lowercase(), self.size());
        format!(
            "setup ({half}{other_half}) {size} {}",
            self.to_xboard(position)
        )
    }

    /// The board's size, and the number of kinds in the holdings, as in `setup` lines.
    pub(crate) fn size(&self) -> String {
        let n_held = self.letters.len() * usize::from(self.game.has_holdings);
        format!("{}x{}+{n_held}_fairy", self.n_files, self.n_ranks)
    }

    /// Returns the `piece` line with the moves of the pieces, as in `piece S& mQ`, if XBoard's notation can express
    /// them.
    pub(crate) fn piece_moves(&self) -> Option<String> {
        Some(format!("piece {}& {}", self.letters[0], self.game.moves?))
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flatten()
    }

    /// `true` if a cell has several squares.
    fn has_stacks(&self) -> bool {
        self.cells().any(|cell| cell.squares.len() > 1)
    }

    /// Returns the cell of this name, if the board has it.
    fn cell(&self, name: &str) -> Option<&Cell> {
        let indent = |row: u8| self.rows[usize::from(row)][0].at.column;
        let at = CellNames::of(self.variant).point(name, self.rows.len() as u8, indent)?;
        self.cells().find(|cell| cell.at == at)
    }

    /// 1 if White owns the second colour in this position, and places the second kind.
    fn n_swapped(&self, position: &str) -> usize {
        usize::from(self.game.tail == Tail::Owner && position.ends_with('2'))
    }

    /// Returns the letter of a piece of this colour and size; `None` for letters that are no colours. Sizes count from 0.
    fn letter(&self, position: &str, colour: char, size: usize) -> Option<char> {
        let mut colours = self.game.colours.into_iter();
        let n_swapped = self.n_swapped(position);
        let capital = self.letters[size + n_swapped];
        let is_white = colours.position(|own| own == colour)? == n_swapped;
        Some(if is_white {
            capital
        } else {
            capital.to_ascii_lowercase()
        })
    }

    /// Returns an empty board without holdings.
    fn empty(&self) -> Fen {
        let mut fen = Fen::filled(self.n_files, self.n_ranks, HOLE);
        for square in self.cells().flat_map(|cell| &cell.squares) {
            fen.put(*square, EMPTY);
        }
        fen
    }

    /// Converts a position string of the game to XBoard's dialect.
    pub(crate) fn to_xboard(&self, position: &str) -> Fen {
        let mut fen = self.empty();
        let (board, rest) = position.split_once(' ').unwrap_or((position, ""));
        let has_stacks = self.has_stacks();
        for (cells, row) in self.rows.iter().zip(board.split('/')) {
            for (cell, stack) in cells.iter().zip(cells_of(row, has_stacks)) {
                // From the bottom up: the colour of each piece, and its size if there are several.
                let mut signs = stack.chars();
                while let Some(colour) = signs.next() {
                    let size = signs.next().and_then(|size| size.to_digit(10));
                    let size = size.map_or(0, |size| size as usize - 1);
                    if let Some(letter) = self.letter(position, colour, size) {
                        fen.put(cell.squares[size], letter);
                    }
                }
            }
        }
        let to_move = rest.chars().next();
        let mover = to_move.and_then(|colour| self.letter(position, colour, 0));
        if mover.is_some_and(|letter| letter.is_ascii_lowercase()) {
            fen.side = Side::P2;
        }
        fen.holdings = self.game.has_holdings.then(|| self.holdings(&fen));
        fen
    }

    /// Returns the pieces that are not on the board. Where the supply is unlimited, it is a piece for each cell that the
    /// pieces of this kind can fill, up to [`MAX_HELD`].
    fn holdings(&self, fen: &Fen) -> String {
        let n_of_a_kind = match self.has_stacks() {
            true => self.letters.len() - 1,
            false => MAX_HELD.min(self.cells().count().div_ceil(self.letters.len())),
        };
        let white = self.letters.iter().copied();
        let black = white.clone().map(|letter| letter.to_ascii_lowercase());
        let held = white.chain(black).map(|letter| {
            let squares = fen.ranks.iter().flatten();
            letter.to_string().repeat(
                n_of_a_kind.saturating_sub(squares.filter(|square| **square == letter).count()),
            )
        });
        held.collect()
    }

    /// Converts a position of XBoard to a position string of the game. Counters that XBoard lacks, such as consecutive
    /// slides, start at 0. The holdings follow from the board and are ignored. The rules may still reject the result.
    ///
    /// # Errors
    /// The position does not fit this board; the text is meant for users.
    pub(crate) fn to_game(&self, fen: &Fen) -> Result<String, String> {
        let mut rows = Vec::new();
        for cells in &self.rows {
            let stacks: Vec<String> = cells.iter().map(|cell| self.stack(fen, cell)).collect();
            rows.push(match self.has_stacks() {
                true => stacks.join(","),
                false => with_runs(stacks.concat().chars()),
            });
        }
        let board = rows.join("/");
        let colours = self.game.colours;
        let to_move = colours[fen.side.index()];
        let position = match self.game.tail {
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
        };
        // The letters of Projex's stones may differ after a swap.
        let shape = |fen: &Fen| fen.placement().replace(char::is_alphabetic, "S");
        if shape(fen) == shape(&self.to_xboard(&position)) {
            return Ok(position);
        }
        let letters: String = self.letters.iter().collect();
        let pieces = match self.has_stacks() {
            true => "the squares of a cell are in this order for the pieces",
            false => "its pieces are",
        };
        Err(format!(
            "{} does not fit the empty board {}: {pieces} {letters}",
            one_line(&fen.placement()),
            self.empty().placement()
        ))
    }

    /// Returns the pieces on a cell as in a position string, without those that do not belong there.
    fn stack(&self, fen: &Fen, cell: &Cell) -> String {
        let is_stack = cell.squares.len() > 1;
        let mut stack = String::new();
        for (size, piece) in fen.pieces(&cell.squares) {
            let mut letters = self.letters.iter();
            let kind = letters.position(|letter| piece.eq_ignore_ascii_case(letter));
            let Some(kind) = kind.filter(|kind| !is_stack || *kind == size) else {
                continue;
            };
            // The second kind of stones has the opponent's colour.
            let is_second = piece.is_ascii_lowercase() != (kind == 1 && !is_stack);
            stack.push(self.game.colours[usize::from(is_second)]);
            if is_stack {
                stack += &(size + 1).to_string();
            }
        }
        if stack.is_empty() {
            stack.push(EMPTY);
        }
        stack
    }

    /// Converts a legal move of the game. An exchange of colours leaves XBoard's board as it is, like a pass.
    pub(crate) fn mv(&self, position: &str, code: &str) -> Move {
        if matches!(code, "pass" | "swap") {
            return Move::Pass;
        }
        let convert = || {
            if let Some((from, to)) = code.split_once("->").or_else(|| code.split_once('-')) {
                let (from, to) = (self.cell(from)?, self.cell(to)?);
                let size = self.visible(position, from);
                return Some(Move::Step {
                    from: from.squares[size],
                    to: to.squares[size],
                });
            }
            let (size, to) = code.split_once('@').unwrap_or(("1", code));
            let size = size.parse::<usize>().ok()? - 1;
            Some(Move::Drop {
                piece: self.letters[size + self.n_swapped(position)],
                to: self.cell(to)?.squares[size],
            })
        };
        convert().expect("a legal code names cells of the board")
    }

    /// Returns the size of the visible piece of a cell, from 0; 0 if the cell is empty.
    fn visible(&self, position: &str, cell: &Cell) -> usize {
        if cell.squares.len() == 1 {
            return 0;
        }
        let pieces = self.to_xboard(position).pieces(&cell.squares);
        pieces.last().map_or(0, |(size, _)| *size)
    }

    /// Returns the square of a cell of the game; on a board of stacks, that of its visible piece.
    pub(crate) fn square(&self, position: &str, name: &str) -> Option<Point> {
        let cell = self.cell(name)?;
        Some(cell.squares[self.visible(position, cell)])
    }

    /// Returns the mover's pieces as colours for `highlight`, red for each.
    pub(crate) fn mark_movers(&self, position: &str) -> String {
        let fen = self.to_xboard(position);
        let is_white = fen.side == Side::P1;
        let squares = self.cells().flat_map(|cell| cell.squares.iter().copied());
        let own = squares.filter(|square| {
            let piece = fen.at(*square).unwrap_or(EMPTY);
            piece != EMPTY && piece.is_ascii_uppercase() == is_white
        });
        self.marks(RED, own)
    }

    /// Returns the covered pieces as colours for `highlight`, red for each; `None` if no piece is covered.
    pub(crate) fn mark_covered(&self, position: &str) -> Option<String> {
        let fen = self.to_xboard(position);
        let covered = self.cells().flat_map(|cell| {
            let mut pieces = fen.pieces(&cell.squares);
            pieces.pop();
            pieces.into_iter().map(|(size, _)| cell.squares[size])
        });
        let mut covered = covered.peekable();
        covered.peek()?;
        Some(self.marks(RED, covered))
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
        Some(self.marks(YELLOW, codes.iter().filter_map(target)))
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
    fn marks(&self, colour: char, squares: impl Iterator<Item = Point>) -> String {
        let mut marks = Fen::filled(self.n_files, self.n_ranks, EMPTY);
        squares.for_each(|square| marks.put(square, colour));
        marks.placement()
    }
}

/// Marks of `highlight`: a capital makes its square a target.
const RED: char = 'r';
const YELLOW: char = 'Y';

/// Splits a row of a position string: cells with one piece are letters and runs of empty ones, stacks have commas.
fn cells_of(row: &str, has_stacks: bool) -> Vec<String> {
    if has_stacks {
        return row.split(',').map(str::to_owned).collect();
    }
    parse_rank(row).into_iter().map(String::from).collect()
}

#[cfg(test)]
mod tests;
