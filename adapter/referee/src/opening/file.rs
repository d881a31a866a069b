//! Openings from a file: one a line, the positions of a suite, or the opening moves of PGN games. Books are trees of
//! weighted moves (`spec/match.md`, "Books").

use std::path::{Path, PathBuf};

use kit::{DynHistory, Options};
use record::file::{read_text, without_mark};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::opening::source::generator;
use record::pgn::read_pgn;
use record::registry::Rules;

/// Error in a file of openings or positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {why}", .path.display(), .line.map_or_else(String::new, |line| format!(", line {line}")))]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line number, from 1; `None` if the error concerns the whole file.
    pub line: Option<usize>,
    /// The reason.
    pub why: String,
    /// `true` if the file cannot be read.
    pub is_unread: bool,
}

impl FileError {
    /// Reads a file and parses its text. The error of the parser holds the line number, from 1; `none` is the reason if
    /// what was parsed is empty.
    ///
    /// # Errors
    /// The file cannot be read, a line is wrong, or there is none.
    pub fn read<T>(
        path: &Path,
        parse: impl FnOnce(&str) -> Result<T, (usize, String)>,
        is_empty: impl FnOnce(&T) -> bool,
        none: &str,
    ) -> Result<T, FileError> {
        let error = |line, why| FileError {
            path: path.to_owned(),
            line,
            why,
            is_unread: false,
        };
        let text = read_text(path).map_err(|why| FileError {
            is_unread: true,
            ..error(None, why.to_string())
        })?;
        let parsed = parse(without_mark(&text)).map_err(|(line, why)| error(Some(line), why))?;
        match is_empty(&parsed) {
            true => Err(error(None, none.to_owned())),
            false => Ok(parsed),
        }
    }
}

/// Reads all openings of a file, at most `plies` moves of each. With rules, each opening is checked, and the games of a
/// PGN file must have the same options.
///
/// Empty lines and lines that begin with `#` are skipped. A file that begins with `[` is a PGN file. With rules, a line
/// `game NAME` names the game of the following lines, and text after a `;` is ignored (`spec/lab.md`).
pub fn load(
    path: &Path,
    plies: Option<usize>,
    rules: Option<&Rules>,
) -> Result<Vec<Opening>, FileError> {
    let parse = |text: &str| {
        let games = || read_pgn(text).into_iter();
        let candidates = match text.trim_start().starts_with('[') {
            true => games()
                .map(|game| (game.line, game.game, game.record.opening_line()))
                .collect(),
            false => lines(text, rules.is_some())?,
        };
        let checked = |(number, game, mut opening): Candidate| {
            opening.moves.truncate(plies.unwrap_or(usize::MAX));
            if let Some(rules) = rules {
                let verdict = check(rules, game.as_ref(), &opening).or_else(|why| {
                    opening = position_before_operation(rules, &opening).ok_or(why)?;
                    check(rules, game.as_ref(), &opening)
                });
                verdict.map_err(|why| (number, why))?;
            }
            Ok(opening)
        };
        candidates.into_iter().map(checked).collect()
    };
    let none = "no openings. Write a position or a game on each line";
    FileError::read(path, parse, Vec::is_empty, none)
}

/// A line number, the game if the file names it, and an opening.
type Candidate = (usize, Option<GameSpec>, Opening);

/// The lines that are neither empty nor a remark, with their numbers.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    (1..)
        .zip(text.lines())
        .filter(move |(_, line)| !is_blank(line))
}

/// Reads one opening a line. The error holds the line number.
fn lines(text: &str, is_suite: bool) -> Result<Vec<Candidate>, (usize, String)> {
    let mut game = None;
    let mut candidates = Vec::new();
    for (number, line) in numbered(text) {
        if let Some(name) = line.strip_prefix("game ").filter(|_| is_suite) {
            game = Some(GameSpec::parse(name.trim()).map_err(|why| (number, why))?);
            continue;
        }
        let fields = line.split(';').next().filter(|_| is_suite);
        candidates.push((number, game.clone(), Opening::parse(fields.unwrap_or(line))));
    }
    Ok(candidates)
}

/// The position of an EPD line, whose first operation follows without a mark, as in `... w KQkq - hmvc 0`: the longest
/// beginning that is a position.
fn position_before_operation(rules: &Rules, opening: &Opening) -> Option<Opening> {
    let fen = opening.fen.as_ref().filter(|_| opening.moves.is_empty())?;
    let ends = fen.rmatch_indices(' ').take(MAX_OPERANDS);
    let mut positions = ends.map(|(end, _)| Opening {
        fen: Some(fen[..end].to_owned()),
        moves: Vec::new(),
    });
    positions.find(|position| rules.check(position).is_ok())
}

/// Most words of an EPD operation.
const MAX_OPERANDS: usize = 16;

fn check(rules: &Rules, game: Option<&GameSpec>, opening: &Opening) -> Result<(), String> {
    if let Some(game) = game {
        let board = rules.open(opening).ok();
        let board = board.filter(|_| opening.fen.is_some());
        let shape = board.map_or_else(String::new, |board| board.shape());
        check_game(rules, game, &shape)?;
    }
    rules.check(opening).map_err(|why| why.to_string())
}

/// Checks that a file is for this game with the same options, except for those in the `shape` of a position: they are
/// given by the position string. Options not named have their defaults.
fn check_game(rules: &Rules, game: &GameSpec, shape: &str) -> Result<(), String> {
    let own = rules.entry().name;
    if game.name != own {
        return Err(format!("a game of {}, not of {own}", game.name));
    }
    let mut theirs = Options::new(rules.entry().source.options());
    for (name, value) in &game.options {
        let set = theirs.set(name, Some(value));
        set.map_err(|error| error.to_string())?;
    }
    let names = shape
        .split_whitespace()
        .flat_map(|word| word.split('=').next());
    let told: Vec<&str> = names.collect();
    for ((name, theirs), (_, own)) in theirs.values().zip(rules.options().values()) {
        if theirs != own && !told.contains(&name) {
            return Err(format!("a game with {name}={theirs}, not {name}={own}"));
        }
    }
    Ok(())
}

/// A tree of moves from the start position. An opening is a path from the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// In the order of the file: each move is before the replies to it.
    moves: Vec<BookMove>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct BookMove {
    /// Number of moves before it.
    ply: usize,
    code: String,
    weight: u32,
}

impl Book {
    /// Reads a book. With rules, each move must be legal and must not end the game. The error names the file and the
    /// line.
    pub fn load(path: &Path, rules: Option<&Rules>) -> Result<Book, FileError> {
        let parse = |text: &str| Book::parse(text, rules);
        let none = "no moves. Write one on each line";
        FileError::read(path, parse, |book| book.moves.is_empty(), none)
    }

    /// Parses the text of a book. The error holds the line number, from 1.
    fn parse(text: &str, rules: Option<&Rules>) -> Result<Book, (usize, String)> {
        let mut reader = Reader {
            book: Book { moves: Vec::new() },
            rules,
            path: Vec::new(),
        };
        for (number, text) in numbered(text) {
            reader.take(text).map_err(|why| (number, why))?;
        }
        Ok(reader.book)
    }

    /// Chooses a random path from the start by the weights of the moves, up to the end of the book or `plies` moves.
    /// Depends only on `seed` and `index`.
    pub fn choose(&self, plies: Option<usize>, seed: u64, index: u64) -> Opening {
        let mut rng = generator(seed, index);
        let mut opening = Opening::default();
        // Index of the first move after the path so far.
        let mut start = 0;
        for ply in 0..plies.unwrap_or(usize::MAX) {
            let below = (start..).zip(&self.moves[start..]);
            let below = below.take_while(|(_, mv)| mv.ply >= ply);
            let replies: Vec<_> = below.filter(|(_, mv)| mv.ply == ply).collect();
            let total = replies.iter().map(|(_, mv)| u64::from(mv.weight)).sum();
            if total == 0 {
                break;
            }
            let mut drawn = rng.u64(0..total);
            for (at, mv) in replies {
                if drawn < u64::from(mv.weight) {
                    opening.moves.push(mv.code.clone());
                    start = at + 1;
                    break;
                }
                drawn -= u64::from(mv.weight);
            }
        }
        opening
    }
}

/// A line-by-line parser of books.
struct Reader<'a> {
    book: Book,
    rules: Option<&'a Rules>,
    /// The indentation of each move on the path to the last one, and with rules, the position after it.
    path: Vec<(usize, Option<Box<dyn DynHistory>>)>,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let indent = text.len() - text.trim_start_matches(' ').len();
        if text[indent..].starts_with('\t') {
            return Err("a tab before the move: indent by blanks".to_owned());
        }
        if let (Some(rules), Some(game)) = (self.rules, text.strip_prefix("game ")) {
            return match self.book.moves.is_empty() {
                true => check_game(rules, &GameSpec::parse(game.trim())?, ""),
                false => Err("game after a move: write it before the first one".to_owned()),
            };
        }
        let (code, weight) = parse_move(text)?;
        self.leave(indent)?;
        let mut board = match self.path.last() {
            Some((_, parent)) => parent.as_ref().map(|board| board.fork()),
            None => self.rules.map(Rules::start),
        };
        let mut code = code.to_owned();
        if let Some(board) = &mut board {
            code = board.play(&code).map_err(|why| why.to_string())?;
            if board.outcome().is_some() {
                return Err(format!(
                    "the game is over after {code}: end the line before it"
                ));
            }
        }
        let (ply, moves) = (self.path.len(), &mut self.book.moves);
        let mut siblings = moves.iter().rev().take_while(|mv| mv.ply >= ply);
        if siblings.any(|mv| mv.ply == ply && mv.code == code) {
            return Err(format!("{code} appears here twice"));
        }
        moves.push(BookMove { ply, code, weight });
        self.path.push((indent, board));
        Ok(())
    }

    /// Drops moves from the path until its end is the parent of a move with this indentation.
    fn leave(&mut self, indent: usize) -> Result<(), String> {
        let mut last = None;
        while let Some((known, _)) = self.path.pop_if(|(known, _)| *known >= indent) {
            last = Some(known);
        }
        let first = if self.path.is_empty() { 0 } else { indent };
        match last.unwrap_or(first) {
            sibling if sibling == indent => Ok(()),
            sibling => Err(format!(
                "{indent} blanks before the move: other moves on its ply have {sibling}"
            )),
        }
    }
}

fn parse_move(text: &str) -> Result<(&str, u32), String> {
    let parsed = match text.split_whitespace().collect::<Vec<_>>()[..] {
        [code] => Some((code, 1)),
        [code, weight] => weight.parse().ok().map(|weight| (code, weight)),
        _ => None,
    };
    let parsed = parsed.filter(|(_, weight)| *weight > 0);
    let what = "write MOVE or MOVE WEIGHT, a whole number above 0";
    parsed.ok_or_else(|| format!("{:?}: {what}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_testing::rules;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("it is written");
        let loaded = load(file.path(), None, Some(&rules()));
        loaded
            .map(|openings| openings.iter().map(Opening::to_string).collect())
            .map_err(|error| format!("line {:?}: {}", error.line, error.why))
    }

    #[test]
    fn a_suite_is_a_file_of_openings() {
        // EPD: the first operation follows the fields of the position.
        let epd = "1/2/3/4 p1 hmvc 0; fmvn 1;\n1/2/3/4 p1 bm a1 b1; id \"x\";\n";
        assert_eq!(
            read(epd),
            Ok(["fen 1/2/3/4 p1"; 2].map(str::to_owned).to_vec())
        );
        let suite = "# mined\ngame nim\n1/2/3/4 p1; bm a1; win 3; id \"a; b\";\n\nstartpos moves a1; draw;\n";
        let openings = ["fen 1/2/3/4 p1", "startpos moves a1"].map(str::to_owned);
        assert_eq!(read(suite), Ok(openings.to_vec()));
        assert_eq!(read(&format!("\u{feff}{suite}")), Ok(openings.to_vec()));
    }

    #[test]
    fn positions_of_another_game_are_refused() {
        for (text, line) in [
            ("game chess\n1/2/3/4 p1; bm a1;\n", 2),
            ("game nim:Heaps=x\n1/2/3/4 p1;\n", 2),
            ("game nim:Heaps\n", 1),
            ("game nim\n\n1/2/3/4 p1;\nstartpos moves a9; draw;\n", 4),
        ] {
            let why = read(text).expect_err(text);
            assert!(why.starts_with(&format!("line Some({line}): ")), "{why}");
        }
    }
}

#[cfg(test)]
mod book_tests {
    use std::collections::HashMap;

    use super::*;
    use crate::record_testing::rules;

    const BOOK: &str = "# Nim\ngame nim\na1 3\n  b1\n  b2 2\n    c3\n\nd4\n";

    #[test]
    fn a_book_is_a_tree() {
        let book = Book::parse(BOOK, Some(&rules())).expect("a book");
        let choose = |index| book.choose(None, 7, index).to_string();
        let mut n_chosen: HashMap<String, usize> = HashMap::new();
        for index in 0..3000 {
            *n_chosen.entry(choose(index)).or_default() += 1;
            assert_eq!(choose(index), choose(index));
        }
        let share = |opening: &str| n_chosen[opening] as f64 / 3000.0;
        assert_eq!(n_chosen.len(), 3);
        assert!((share("startpos moves a1 b1") - 0.25).abs() < 0.05);
        assert!((share("startpos moves a1 b2 c3") - 0.5).abs() < 0.05);
        assert!((share("startpos moves d4") - 0.25).abs() < 0.05);
        assert_ne!(
            book.choose(None, 7, 0),
            book.choose(None, 8, 3),
            "by the seed"
        );
        assert!((0..50).all(|index| book.choose(Some(1), 7, index).moves.len() == 1));
    }

    #[test]
    fn a_line_that_is_no_move_is_named() {
        for (text, line, why) in [
            ("a1\nz9", 2, "z9"),
            ("a1\n  b1 0", 2, "\"b1 0\": write MOVE"),
            ("a1 x", 1, "above 0"),
            ("a1 1 1", 1, "write MOVE"),
            (
                "  a1",
                1,
                "2 blanks before the move: other moves on its ply have 0",
            ),
            (
                "a1\n    b1\n  c1",
                3,
                "2 blanks before the move: other moves on its ply have 4",
            ),
            ("a1\n\tb1", 2, "a tab"),
            ("a1\nb1\na1", 3, "a1 appears here twice"),
            ("game chess\na1", 1, "a game of chess, not of nim"),
            ("a1\ngame nim", 2, "game after a move"),
            (
                "game nim:Heaps=3\na1",
                1,
                "a game with Heaps=3, not Heaps=4",
            ),
        ] {
            let (number, told) = Book::parse(text, Some(&rules())).expect_err(text);
            assert_eq!(number, line, "{text:?}: {told}");
            assert!(told.contains(why), "{text:?}: {told}");
        }
    }

    #[test]
    fn a_book_of_an_unknown_game_is_taken_as_it_is() {
        let book = Book::parse("g0\n b7 5\n", None).expect("a book");
        let opening = book.choose(None, 1, 1);
        assert_eq!(opening.to_string(), "startpos moves g0 b7");
    }
}
