//! Suites: files of positions with their best moves or proven values (`spec/lab.md`).
//!
//! [`load`] reads a file and checks every position and move by the rules.

use std::path::Path;

use kit::Value;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};
use referee::game_table::GameTable;
use referee::opening::FileError;

use crate::case::board;

/// A position with its best moves, its value, or both.
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// Line number in the file, from 1.
    pub line: usize,
    /// The game and its options.
    pub rules: Rules,
    /// The position.
    pub opening: Opening,
    /// The canonical codes of all best moves; empty if only the value is known.
    pub best: Vec<String>,
    /// The value for the side to move; `None` if only the best moves are known.
    pub value: Option<Value>,
    /// The name of the position.
    pub id: Option<String>,
    /// A comment.
    pub comment: Option<String>,
}

impl Puzzle {
    /// The value and the best moves of a table where they differ from those of the suite; empty if they agree. `None`
    /// if the table does not contain the position.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn differences(&self, table: &GameTable) -> Result<Option<Vec<String>>, String> {
        let board = self.rules.open(&self.opening);
        let board = board.map_err(|why| why.to_string())?;
        let known = table.value(board.as_ref())?;
        let Some((value, best)) = known.zip(table.best_moves(board.as_ref())?) else {
            return Ok(None);
        };
        let mut differences = Vec::new();
        if self.value.is_some_and(|told| told != value) {
            differences.push(value.to_string());
        }
        let is_same = best.len() == self.best.len() && best.iter().all(|mv| self.best.contains(mv));
        if !self.best.is_empty() && !is_same {
            differences.push(format!("bm {}", best.join(" ")));
        }
        Ok(Some(differences))
    }

    /// The displayed name: the id, or the line number without one.
    pub fn name(&self) -> String {
        let line = || format!("line {}", self.line);
        self.id.clone().unwrap_or_else(line)
    }
}

/// Error of a position before the first `game` line.
pub const EXPECTED_GAME: &str = "a position without a game: write a line game NAME before it";
const EXPECTED_FIELD: &str = "write bm CODE ..., win N, loss N, draw, id TEXT or c0 TEXT";

/// Reads all positions of a suite, at least one. The error names the file and the line.
pub fn load(path: &Path, registry: Registry) -> Result<Vec<Puzzle>, FileError> {
    let none = "no positions. Write one on each line";
    FileError::read(path, |text| parse(text, registry), Vec::is_empty, none)
}

/// Parses the text of a suite. The error holds the line number, from 1, and the reason.
pub fn parse(text: &str, registry: Registry) -> Result<Vec<Puzzle>, (usize, String)> {
    let mut rules: Option<Rules> = None;
    let mut puzzles = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut read = || {
            match line.strip_prefix("game ") {
                Some(name) => rules = Some(parse_game(name.trim(), registry)?),
                None => {
                    let rules = rules.clone().ok_or(EXPECTED_GAME)?;
                    puzzles.push(parse_puzzle(line, number, rules)?);
                }
            }
            Ok(())
        };
        read().map_err(|why: String| (number, why))?;
    }
    Ok(puzzles)
}

fn parse_game(text: &str, registry: Registry) -> Result<Rules, String> {
    let rules = registry.rules(&GameSpec::parse(text)?);
    let rules = rules.map_err(|error| error.to_string())?;
    rules.ok_or_else(|| format!("{text} has no rules here: name a game that linesman knows"))
}

fn parse_puzzle(line: &str, number: usize, rules: Rules) -> Result<Puzzle, String> {
    let mut fields = split_fields(line).into_iter();
    let opening = Opening::parse(fields.next().unwrap_or_default());
    rules.check(&opening).map_err(|why| why.to_string())?;
    let mut puzzle = Puzzle {
        line: number,
        rules,
        opening,
        best: Vec::new(),
        value: None,
        id: None,
        comment: None,
    };
    for field in fields {
        read_field(&mut puzzle, field)?;
    }
    match puzzle.best.is_empty() && puzzle.value.is_none() {
        true => Err("the position has no move or value: add bm CODE, win N, loss N or draw".into()),
        false => Ok(puzzle),
    }
}

/// Splits a line at semicolons outside quotes.
fn split_fields(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let splits = |c: char| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    };
    let fields = line.split(splits).map(str::trim);
    fields.filter(|field| !field.is_empty()).collect()
}

fn read_field(puzzle: &mut Puzzle, field: &str) -> Result<(), String> {
    let (key, rest) = field.split_once(' ').unwrap_or((field, ""));
    let rest = rest.trim();
    let value = &mut puzzle.value;
    let is_new = match key {
        "bm" => {
            let best = read_moves(puzzle, rest)?;
            std::mem::replace(&mut puzzle.best, best).is_empty()
        }
        "win" => value.replace(Value::Win(plies(field, rest)?)).is_none(),
        "loss" => value.replace(Value::Loss(plies(field, rest)?)).is_none(),
        "draw" if rest.is_empty() => value.replace(Value::Draw).is_none(),
        "id" => puzzle.id.replace(unquoted(field, rest)?).is_none(),
        "c0" => puzzle.comment.replace(unquoted(field, rest)?).is_none(),
        _ => return Err(format!("{field:?}: {EXPECTED_FIELD}")),
    };
    if !is_new {
        return Err(format!("second {key}: keep one of a kind, and one value"));
    }
    Ok(())
}

/// Reads legal moves and returns their canonical codes.
fn read_moves(puzzle: &Puzzle, codes: &str) -> Result<Vec<String>, String> {
    let mut best: Vec<String> = Vec::new();
    for code in codes.split_whitespace() {
        let played = board(&puzzle.rules, &puzzle.opening).play(code);
        let code = played.map_err(|why| format!("bm {why}"))?;
        if !best.contains(&code) {
            best.push(code);
        }
    }
    if best.is_empty() {
        return Err("bm without a move: add one, or leave bm out".to_owned());
    }
    Ok(best)
}

fn plies(field: &str, text: &str) -> Result<u32, String> {
    let plies = text.parse().ok().filter(|plies| (1..=999).contains(plies));
    plies.ok_or_else(|| format!("{field:?}: write the plies to the end, from 1 to 999"))
}

fn unquoted(field: &str, text: &str) -> Result<String, String> {
    let open = text.strip_prefix('"');
    let bare = open.and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    match bare {
        "" => Err(format!("{field:?}: write a text after the word")),
        bare => Ok(bare.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nim_table::NimTable;
    use crate::record_testing::GAMES;

    fn differences(line: &str) -> Option<Vec<String>> {
        let puzzles = parse(&format!("game nim\n{line}"), GAMES).expect("a suite");
        let differences = puzzles[0].differences(&NimTable::of_rules());
        differences.expect("a table that can be read")
    }

    #[test]
    fn a_table_contradicts_wrong_values_and_wrong_moves() {
        let none: Vec<String> = Vec::new();
        assert_eq!(differences("0/0/1/2 p1; bm d1; win 3;"), Some(none.clone()));
        assert_eq!(differences("0/0/1/2 p1; win 3;"), Some(none.clone()));
        assert_eq!(differences("0/0/1/2 p1; bm d1;"), Some(none));
        assert_eq!(
            differences("0/0/1/2 p1; bm d2; win 5;"),
            Some(vec!["win 3".to_owned(), "bm d1".to_owned()])
        );
        assert_eq!(
            differences("0/0/1/1 p1; draw;"),
            Some(vec!["loss 2".to_owned()])
        );
        assert_eq!(differences("1/2 p1; win 3;"), None, "another board");
    }

    #[test]
    fn a_table_that_cannot_be_read_is_an_error() {
        let puzzles = parse("game nim\nstartpos; win 3;", GAMES).expect("a suite");
        let error = puzzles[0].differences(&NimTable::broken());
        assert!(error.is_err_and(|why| why.starts_with("nim.table: ")));
    }
}
