//! Reads boards that are drawn as rows of text: as `d` prints them, as documents show them, and as people paste them.
//!
//! A [`Grid`] is made of a game's boards. [`GridReader`] takes one line after another, and a game makes a position string
//! of the [`DrawnBoard`].

use protocol::text::{counted, excerpt};

use crate::{Board, Role, View};

pub use crate::clean::{clean, clean_text};

/// The rows of a game's boards as text.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The rows of each board, from the top: one list for each size and style.
    boards: Vec<Vec<GridRow>>,
    /// The characters in a cell, in lower case; the first is an empty cell: `.xo`.
    marks: String,
    /// `true` if walls separate the cells, as in `| R1 |    |`; otherwise each sign is a cell.
    has_walls: bool,
    /// The names of the sides, which begin the lines below the board: `x to move`.
    names: [String; 2],
}

/// A row of a drawn board.
#[derive(Debug, Clone, Default)]
struct GridRow {
    /// The text before the cells, such as `a`.
    label: String,
    /// A [`CELL`] or an [`AGAIN`] for each sign.
    signs: String,
    /// The text that may follow the cells, without dashes, such as `<5` for `<---5`.
    end: String,
}

/// The sign between cells.
const WALL: char = '|';
/// Marks a cell in a board of which a [`Grid`] is made.
const CELL: char = '\u{1}';
/// Replaces a sign or a code next to the board that repeats another cell; the reader skips it.
const AGAIN: char = '\u{2}';
/// Digits that a cell between walls may hold, for the sizes of pieces.
const SIZES: &str = "1234";

/// The part of a board read so far.
#[derive(Debug, Clone, Default)]
pub struct DrawnBoard {
    /// The contents of the cells, row by row, in lower case.
    pub rows: Vec<Vec<String>>,
    /// The lines below the board that begin with the name of a side, in lower case and without brackets.
    pub below: Vec<String>,
    /// The index of the side to move, if one of these lines names it.
    pub turn: Option<usize>,
}

/// The role of a line in a drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridLine {
    /// A row of the board.
    Row,
    /// A border, labels, or a blank line.
    Frame,
    /// A line below the board with other parts of the position.
    Below,
    /// Not part of a board.
    Other,
}

/// Reads the rows of one board.
#[derive(Debug, Clone)]
pub struct GridReader {
    grid: &'static Grid,
    /// The boards that begin with the rows so far: the contents of their cells, and the rows that are missing.
    boards: Vec<(Vec<Vec<String>>, &'static [GridRow])>,
    board: DrawnBoard,
    /// The first line since the last row that is not part of the board.
    wrong: Option<String>,
}

impl DrawnBoard {
    /// The rows as in position strings: `1o1/x3/2x`.
    pub fn packed(&self) -> String {
        let piece = |cell: &String| cell.chars().find(|sign| *sign != '.');
        let row = |cells: &Vec<String>| format_row(cells.iter().map(piece));
        self.rows.iter().map(row).collect::<Vec<_>>().join("/")
    }

    /// Refuses the board of a finished game, which does not show who moved last.
    ///
    /// # Errors
    /// A line below the board names the winner.
    pub fn refuse_finished(&self) -> Result<(), String> {
        match self.tells(" wins: ") {
            true => Err("the game on this board is over. Paste its line `fen: ...`".into()),
            false => Ok(()),
        }
    }

    /// `true` if a line below the board contains this text.
    pub fn tells(&self, text: &str) -> bool {
        self.below.iter().any(|line| line.contains(text))
    }
}

impl GridReader {
    /// Creates a reader for the boards of a game.
    pub fn new(grid: &'static Grid) -> GridReader {
        let boards = grid.boards.iter().map(|rows| (Vec::new(), &rows[..]));
        GridReader {
            grid,
            boards: boards.collect(),
            board: DrawnBoard::default(),
            wrong: None,
        }
    }

    /// Reads the next line.
    pub fn push(&mut self, line: &str) -> GridLine {
        // Without the brackets around the last move.
        let line = clean(line).replace(['[', ']', '(', ')'], " ");
        let line = line.trim();
        if !self.is_complete() && self.wrong.is_none() {
            let boards = self.boards.iter().filter_map(|(cells, rows)| {
                let (row, rows) = rows.split_first()?;
                Some(([&cells[..], &[self.grid.cells(row, line)?]].concat(), rows))
            });
            let boards: Vec<_> = boards.collect();
            if !boards.is_empty() {
                self.boards = boards;
                return GridLine::Row;
            }
        }
        let kind = self.classify(line);
        if kind == GridLine::Below {
            let is_turn = |rest: &str| rest.is_empty() || rest.starts_with("to move");
            let turn = self.named(line).filter(|(_, rest)| is_turn(rest));
            self.board.turn = self.board.turn.or(turn.map(|(side, _)| side));
            let words: Vec<&str> = line.split_whitespace().collect();
            self.board.below.push(words.join(" ").to_lowercase());
        }
        if kind == GridLine::Other && self.has_rows() && !self.is_complete() {
            self.wrong.get_or_insert(line.to_owned());
        }
        kind
    }

    /// The cells of the board that has all its rows.
    fn complete(&self) -> Option<&Vec<Vec<String>>> {
        let complete = self.boards.iter().find(|(_, rows)| rows.is_empty());
        complete.map(|(cells, _)| cells)
    }

    /// `true` if the last row has been read.
    pub fn is_complete(&self) -> bool {
        self.complete().is_some()
    }

    /// `true` if a row has been read.
    pub fn has_rows(&self) -> bool {
        self.boards.iter().any(|(cells, _)| !cells.is_empty())
    }

    fn classify(&self, line: &str) -> GridLine {
        let is_below = |(_, rest): (usize, &str)| {
            let mut parts = ["to move", "wins: ", "off the board:"].iter();
            rest.is_empty() || parts.any(|part| rest.starts_with(part))
        };
        if self.is_complete() && self.named(line).is_some_and(is_below) {
            return GridLine::Below;
        }
        let is_frame = |word: &str| {
            let is_letter = word.starts_with(char::is_alphabetic) && word.chars().count() == 1;
            is_letter || word.chars().all(|sign| "+-_0123456789".contains(sign))
        };
        match line.split_whitespace().all(is_frame) {
            true => GridLine::Frame,
            false => GridLine::Other,
        }
    }

    /// The index of the side that begins a line, and the text after its name and player: `o (p2) to move`.
    fn named<'l>(&self, line: &'l str) -> Option<(usize, &'l str)> {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim_start_matches(['p', '1', '2', ' ']);
        let mut names = self.grid.names.iter();
        let index = names.position(|own| own.eq_ignore_ascii_case(name))?;
        Some((index, rest))
    }

    /// The board that was read.
    ///
    /// # Errors
    /// There is none; the message says where its rows end.
    pub fn board(&self) -> Result<DrawnBoard, String> {
        if let Some(cells) = self.complete() {
            let rows = cells.iter().filter(|cells| !cells.is_empty());
            return Ok(DrawnBoard {
                rows: rows.cloned().collect(),
                ..self.board.clone()
            });
        }
        let found = match &self.wrong {
            None if !self.has_rows() => return Err("no row of a board in it".into()),
            None => "the board ends".to_owned(),
            Some(line) => format!("{:?}", excerpt(line)),
        };
        let (cells, rows) = &self.boards[0];
        let label = match rows[0].label.as_str() {
            "" => (cells.len() + 1).to_string(),
            label => label.to_owned(),
        };
        let n_cells = counted(rows[0].signs.len(), "cell");
        Err(format!(
            "{found}: expected row {label} of the board, with {n_cells}"
        ))
    }
}

impl Grid {
    /// The rows of these boards, one of each size and style.
    pub fn of(boards: impl IntoIterator<Item = Board>) -> Grid {
        let (mut rows, mut names, mut has_walls) = (Vec::new(), Default::default(), false);
        for mut board in boards {
            for shape in &mut board.shapes {
                match shape.role {
                    Role::Cell => drop(shape.glyph(CELL)),
                    Role::Piece | Role::Covered => shape.glyph.clear(),
                    _ => {}
                }
            }
            let text = board.drawn(&View::default()).page(true).text(false);
            has_walls = text.contains(WALL);
            rows.push(text.lines().filter_map(GridRow::of).collect());
            names = board.names;
        }
        let initials = names.iter().filter_map(|name| name.chars().next());
        let sizes = if has_walls { SIZES } else { "" };
        Grid {
            boards: rows,
            marks: format!(".{}{sizes}", initials.collect::<String>().to_lowercase()),
            has_walls,
            names,
        }
    }

    /// Reads a text that is a board and nothing else.
    ///
    /// # Errors
    /// It is none; the message names the line.
    pub fn read(&'static self, text: &str) -> Result<DrawnBoard, String> {
        let mut reader = GridReader::new(self);
        for line in text.split(['\n', '\r']) {
            if reader.push(line) == GridLine::Other && reader.is_complete() {
                let line = excerpt(line.trim());
                return Err(format!("{line:?} is not part of a board"));
            }
        }
        reader.board()
    }

    /// The cells of a line, if it has the form of this row.
    fn cells(&self, row: &GridRow, line: &str) -> Option<Vec<String>> {
        let mut rest = line.strip_prefix(row.label.as_str()).unwrap_or(line);
        let mut cells = Vec::new();
        for sign in row.signs.chars() {
            rest = rest.trim_start();
            if self.has_walls {
                rest = rest.strip_prefix(WALL)?;
            }
            let (cell, after) = match after_code(rest) {
                Some(after) if sign == AGAIN => (".", after),
                _ if self.has_walls => rest.split_at(rest.find(WALL)?),
                _ => rest.split_at(rest.chars().next()?.len_utf8()),
            };
            let cell = cell.replace(' ', "").to_lowercase();
            if !cell.chars().all(|sign| self.marks.contains(sign)) {
                return None;
            } else if sign == CELL {
                cells.push(if cell.is_empty() { ".".into() } else { cell });
            }
            rest = after;
        }
        // The label may be at the end, as in `S . . . S  <---5`.
        let end = rest.replace([' ', '<', '-', WALL], "");
        [&row.end, &row.label, ""]
            .contains(&end.as_str())
            .then_some(cells)
    }
}

impl GridRow {
    /// The row of a line whose cells are marked: codes next to them show other cells again. `None` for a line with neither.
    fn of(line: &str) -> Option<GridRow> {
        let mut row = GridRow::default();
        for word in line.split([' ', WALL, '-']) {
            match word.chars().next() {
                Some(CELL) => row.signs.push(CELL),
                _ if after_code(word).is_some() => row.signs.push(AGAIN),
                _ if row.signs.is_empty() => row.label += word,
                _ => row.end += word,
            }
        }
        (!row.signs.is_empty()).then_some(row)
    }
}

/// The text after a code of a cell, such as `a10`; `None` if it begins with none.
fn after_code(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(|letter: char| letter.is_ascii_lowercase())?;
    let after = digits.trim_start_matches(|sign: char| sign.is_ascii_digit());
    (after.len() < digits.len()).then_some(after)
}

/// A row as text: each piece as its letter, each run of empty cells as its length.
pub fn format_row(cells: impl IntoIterator<Item = Option<char>>) -> String {
    let cells: Vec<Option<char>> = cells.into_iter().collect();
    let runs = cells.chunk_by(|one, other| one.is_none() && other.is_none());
    runs.map(|run| match run[0] {
        Some(letter) => letter.to_string(),
        None => run.len().to_string(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of 2 and 3 rows with labels, numbered diagonals, and one with other cells around it.
    fn reader() -> GridReader {
        let row = |label: &str, signs: &str, end: &str| GridRow {
            label: label.to_owned(),
            signs: signs.replace('.', "\u{1}").replace('?', "\u{2}"),
            end: end.to_owned(),
        };
        GridReader::new(Box::leak(Box::new(Grid {
            boards: vec![
                vec![row("a", "..", "3"), row("b", "..", "")],
                vec![
                    row("a", "...", "4"),
                    row("b", "..", ""),
                    row("c", "...", ""),
                ],
                vec![row("", "???", ""), row("a", "?..?", "")],
            ],
            marks: ".xo".to_owned(),
            has_walls: false,
            names: ["x", "o"].map(str::to_owned),
        })))
    }

    fn read(text: &str) -> Result<DrawnBoard, String> {
        let mut reader = reader();
        for line in text.lines() {
            reader.push(line);
        }
        reader.board()
    }

    #[test]
    fn the_rows_tell_the_board() {
        for (text, packed) in [
            ("> a . [x] 3\r\n>\n> > b (.) O", "1x/1o"),
            ("  1 2\na..-3\n14. b xo", "2/xo"),
            ("a x . o\nb . .\nc x x x 5", ""),
            ("a x . o 4\n\nb . .\n+--+\nc xxx", "x1o/2/xxx"),
            ("a.xa\nb . .", "1x/2"),
            ("x b1 o\na c2 x . o", "x1"),
        ] {
            let board = read(text).map(|board| board.packed());
            assert_eq!(board.unwrap_or_default(), packed, "{text}");
        }
    }

    #[test]
    fn the_lines_below_belong_to_the_board() {
        let board = "a . x\nb . o\n";
        for (below, kind, turn) in [
            ("o to move", GridLine::Below, Some(1)),
            ("X (p2) to move, 3 slides", GridLine::Below, Some(0)),
            ("o", GridLine::Below, Some(1)),
            ("x wins: a row", GridLine::Below, None),
            ("o is in check", GridLine::Other, None),
            ("a b c 1", GridLine::Frame, None),
            ("Fig. 1", GridLine::Other, None),
        ] {
            let mut reader = reader();
            assert_ne!(reader.push(below), GridLine::Below, "no board above");
            for line in board.lines() {
                assert_eq!(reader.push(line), GridLine::Row);
            }
            assert_eq!(reader.push(below), kind, "{below}");
            assert_eq!(reader.board().map(|board| board.turn), Ok(turn), "{below}");
        }
    }

    #[test]
    fn a_wrong_line_among_the_rows_is_named() {
        let why = |text| read(text).expect_err("no board");
        assert_eq!(why(""), "no row of a board in it");
        assert_eq!(
            why("a . x\nhello\nb . o"),
            "\"hello\": expected row b of the board, with 2 cells"
        );
        assert_eq!(
            why("a . x ."),
            "the board ends: expected row b of the board, with 2 cells"
        );
    }
}
