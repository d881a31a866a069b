//! Openings from a file: one a line, the positions of a suite, or the opening moves of PGN games.

use std::path::{Path, PathBuf};

use kit::Options;
use record::file::{read_text, without_mark};
use record::game_spec::GameSpec;
use record::opening::Opening;
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
        let candidates = match text.trim_start().starts_with('[') {
            true => games(text),
            false => lines(text, rules.is_some())?,
        };
        let checked = |(number, game, mut opening): Candidate| {
            opening.moves.truncate(plies.unwrap_or(usize::MAX));
            let verdict = rules.map_or(Ok(()), |rules| {
                let verdict = check(rules, game.as_ref(), &opening);
                verdict.or_else(|why| match position_before_operation(rules, &opening) {
                    Some(position) => {
                        opening = position;
                        check(rules, game.as_ref(), &opening)
                    }
                    None => Err(why),
                })
            });
            verdict.map(|()| opening).map_err(|why| (number, why))
        };
        candidates.into_iter().map(checked).collect()
    };
    let none = "no openings. Write a position or a game on each line";
    FileError::read(path, parse, Vec::is_empty, none)
}

/// A line number, the game if the file names it, and an opening.
type Candidate = (usize, Option<GameSpec>, Opening);

/// Reads the openings from the games of a PGN text.
fn games(text: &str) -> Vec<Candidate> {
    read_pgn(text)
        .into_iter()
        .map(|game| (game.line, game.game, game.record.opening_line()))
        .collect()
}

/// Reads one opening a line. The error holds the line number.
fn lines(text: &str, is_suite: bool) -> Result<Vec<Candidate>, (usize, String)> {
    let mut game = None;
    let mut candidates = Vec::new();
    let is_blank = |line: &str| line.trim().is_empty() || line.starts_with('#');
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !is_blank(line)) {
        let name = line.strip_prefix("game ").filter(|_| is_suite);
        if let Some(name) = name {
            game = Some(GameSpec::parse(name.trim()).map_err(|why| (number, why))?);
            continue;
        }
        let fields = if is_suite {
            line.split(';').next()
        } else {
            None
        };
        candidates.push((number, game.clone(), Opening::parse(fields.unwrap_or(line))));
    }
    Ok(candidates)
}

/// The position of an EPD line, whose first operation follows without a mark, as in `... w KQkq - hmvc 0`: the longest
/// beginning that is a position.
fn position_before_operation(rules: &Rules, opening: &Opening) -> Option<Opening> {
    let fen = opening.fen.as_ref().filter(|_| opening.moves.is_empty())?;
    let ends = fen.rmatch_indices(' ').map(|(end, _)| end);
    let positions = ends.take(MAX_OPERANDS).map(|end| Opening {
        fen: Some(fen[..end].to_owned()),
        moves: Vec::new(),
    });
    positions
        .into_iter()
        .find(|position| rules.check(position).is_ok())
}

/// Most words of an EPD operation.
const MAX_OPERANDS: usize = 16;

fn check(rules: &Rules, game: Option<&GameSpec>, opening: &Opening) -> Result<(), String> {
    if let Some(game) = game {
        // Options given by the position string itself need not agree.
        let is_told = |name: &str| {
            let board = rules.open(opening).ok();
            let shape = board.filter(|_| opening.fen.is_some());
            let shape = shape.map_or_else(String::new, |board| board.shape());
            let mut words = shape.split_whitespace();
            words.any(|word| word.split('=').next() == Some(name))
        };
        check_options(rules, game, &is_told)?;
    }
    rules.check(opening).map_err(|why| why.to_string())
}

/// Checks that a file is for this game with the same options. Options not named have their defaults.
pub(super) fn check_game(rules: &Rules, game: &GameSpec) -> Result<(), String> {
    check_options(rules, game, &|_| false)
}

/// Like [`check_game`], but options for which `is_told` returns `true` may differ.
fn check_options(
    rules: &Rules,
    game: &GameSpec,
    is_told: &dyn Fn(&str) -> bool,
) -> Result<(), String> {
    let own = rules.entry().name;
    if game.name != own {
        return Err(format!("a game of {}, not of {own}", game.name));
    }
    let mut theirs = Options::new(rules.entry().source.options());
    for (name, value) in &game.options {
        let set = theirs.set(name, Some(value));
        set.map_err(|error| error.to_string())?;
    }
    let mut pairs = theirs.values().zip(rules.options().values());
    match pairs.find(|(theirs, own)| theirs != own && !is_told(theirs.0)) {
        Some(((name, theirs), (_, own))) => {
            Err(format!("a game with {name}={theirs}, not {name}={own}"))
        }
        None => Ok(()),
    }
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
