//! Builds the command line that starts XBoard for a game, and writes the pictures of the pieces: an SVG file for each piece
//! and colour, under the names that XBoard expects.

use std::path::{Path, PathBuf};
use std::{fs, io};

use record::engine_spec::Program;

use super::layout::{Layout, no_cells};
use crate::{BridgeError, BridgeSetup, Done};

/// Width of a square in pixels, for a board with the usual number of files.
const SQUARE: usize = 50;

/// Number of files for which XBoard's sizes are meant. A board with more files gets smaller squares.
const USUAL_FILES: usize = 8;

/// Maximum length in bytes of an engine's command line; XBoard cuts the rest off.
const MAX_ENGINE_BYTES: usize = 511;

/// Maximum number of words in an engine's command line.
const MAX_ENGINE_WORDS: usize = 62;

/// Returns the command that starts XBoard with a game and an engine. `engine` is the engine's own command line.
///
/// XBoard's own checks of moves, repetitions and moves without captures are turned off, because the engine makes them.
///
/// # Errors
/// XBoard cannot read a word back; the text names it.
pub fn xboard_command(
    layout: &Layout,
    engine: &[String],
    pieces: &Path,
) -> Result<Vec<String>, String> {
    let (engine, variant) = (engine_line(engine)?, layout.variant);
    let size = SQUARE * layout.n_shown_files() / USUAL_FILES;
    let board = format!("xboard -variant {variant} -size {size}");
    let rules = "-testLegality false -ruleMoves 0 -repeatsToDraw 0 -trueColors true -pid";
    let engines = ["-fcp", &engine, "-scp", &engine];
    let pieces = pieces.display().to_string();
    let words = board.split(' ').chain(engines).chain(rules.split(' '));
    let words: Vec<String> = words.chain([&*pieces]).map(str::to_owned).collect();
    // XBoard joins its arguments to one line, with braces around those that contain blanks.
    match words.iter().find(|word| word.contains(['}', '\n'])) {
        None => Ok(words),
        Some(word) => Err(format!(
            "{word}: XBoard reads no word with }} or a line break"
        )),
    }
}

/// Formats an engine's command line as XBoard splits it: at blanks, except in words that begin with a quotation mark and
/// end with the same. XBoard has no escapes, and adds an empty word after a quoted last word, so the last one must be plain.
fn engine_line(words: &[String]) -> Result<String, String> {
    let quoted = words.iter().map(|word| engine_word(word));
    let line = quoted.collect::<Result<Vec<_>, _>>()?.join(" ");
    if line.len() > MAX_ENGINE_BYTES || words.len() > MAX_ENGINE_WORDS {
        return Err(format!(
            "the engine's command: XBoard reads up to {MAX_ENGINE_BYTES} bytes and {MAX_ENGINE_WORDS} words: write a script \
             of it, and name that"
        ));
    }
    Ok(line)
}

fn engine_word(word: &str) -> Result<String, String> {
    if !word.is_empty() && !word.contains(' ') && !word.starts_with(['"', '\'']) {
        return Ok(word.to_owned());
    }
    let mark = ['"', '\''].into_iter().find(|mark| !word.contains(*mark));
    mark.map(|mark| format!("{mark}{word}{mark}"))
        .ok_or_else(|| format!("{word}: XBoard reads no word with both kinds of quotation marks"))
}

/// Returns the layout of a setup's game.
///
/// # Errors
/// The game does not fit XBoard.
pub fn layout_of(setup: &BridgeSetup) -> Done<Layout> {
    let game = &setup.game.name;
    let rules = setup.known_rules()?;
    let rules = rules.ok_or_else(|| BridgeError::Unsuitable(no_cells(game)))?;
    Layout::new(game, &rules.start().fen()).map_err(BridgeError::Unsuitable)
}

/// Returns the engine name for the GUI. It comes from the setup, because the engine has not reported its own name yet.
pub(super) fn engine_name(setup: &BridgeSetup) -> String {
    let program = match &setup.engine.program {
        Program::Command { path, .. } => path.file_name(),
        Program::Builtin | Program::Person => None,
    };
    let program = program.map(|name| name.to_string_lossy().into_owned());
    let own = || format!("Linesman {} {}", setup.game.name, env!("CARGO_PKG_VERSION"));
    setup.engine.name.clone().or(program).unwrap_or_else(own)
}

/// File name and content.
type PieceFile = (&'static str, &'static str);

/// Each piece with the pictures of its White and its Black.
macro_rules! piece_files {
    ($game:literal: $($name:literal from $white:literal $black:literal),*) => {
        &[$(
            (concat!("White", $name, ".svg"), include_str!(concat!("../../pieces/", $game, "/", $white, ".svg"))),
            (concat!("Black", $name, ".svg"), include_str!(concat!("../../pieces/", $game, "/", $black, ".svg"))),
        )*]
    };
}

/// Returns the pictures of a game; none if it has no layout.
fn piece_files(game: &str) -> &'static [PieceFile] {
    match game {
        "entropy" => piece_files!("entropy": "Knight" from "WhiteKnight" "BlackKnight"),
        "gobblet" => piece_files!("gobblet":
            "Knight" from "WhiteKnight" "BlackKnight",
            "Bishop" from "WhiteBishop" "BlackBishop",
            "Rook" from "WhiteRook" "BlackRook",
            "Queen" from "WhiteQueen" "BlackQueen"),
        // The second kind has the colours of the opponent's first.
        "projex" => piece_files!("projex":
            "Knight" from "WhiteKnight" "BlackKnight",
            "Bishop" from "BlackKnight" "WhiteKnight"),
        "susan" => piece_files!("susan": "Knight" from "WhiteKnight" "BlackKnight"),
        _ => &[],
    }
}

/// Writes the pictures of a game to a folder, and creates it if necessary. Existing files of these names are replaced.
///
/// # Errors
/// The path that cannot be written, and the error.
pub fn write_pieces(game: &str, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let named = |path: &Path, error| (path.to_owned(), error);
    fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
    for (name, picture) in piece_files(game) {
        let path = folder.join(name);
        fs::write(&path, picture).map_err(|error| named(&path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::shell_line;

    fn command(engine: &[&str], pieces: &str) -> Result<Vec<String>, String> {
        let engine: Vec<String> = engine.iter().map(|word| (*word).to_owned()).collect();
        let layout = Layout::new("susan", "3/4/5/4/3 x 0").expect("it fits");
        xboard_command(&layout, &engine, Path::new(pieces))
    }

    #[test]
    fn the_line_is_ready_to_paste() {
        let words = command(&["linesman", "bridge", "cecp", "susan"], "/home/a b/pieces");
        assert_eq!(
            shell_line(&words.expect("plain words")),
            "xboard -variant susan -size 56 -fcp 'linesman bridge cecp susan' -scp 'linesman bridge cecp susan' \
         -testLegality false -ruleMoves 0 -repeatsToDraw 0 -trueColors true -pid '/home/a b/pieces'"
        );
    }

    /// XBoard's own splitting of an engine's command line (`StartChildProcess` in `usystem.c` of XBoard 4.9.1).
    fn split_as_xboard_does(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut rest = line;
        loop {
            rest = rest.trim_start_matches(' ');
            let mark = rest.chars().next().filter(|first| "\"'".contains(*first));
            let (text, end) = match mark {
                Some(mark) => (&rest[1..], mark),
                None => (rest, ' '),
            };
            match text.split_once(end) {
                Some((word, after)) => {
                    words.push(word.to_owned());
                    rest = after;
                }
                None => {
                    words.push(text.to_owned());
                    return words;
                }
            }
        }
    }

    #[test]
    fn xboard_reads_the_words_back() {
        for engine in [
            &["linesman", "--engine", "cmd=/a b/c", "name=it's", "x"][..],
            &["/a b/linesman", "", "'", "say \"a b\"", "9"],
        ] {
            let words = command(engine, "p").expect("readable words");
            assert_eq!(split_as_xboard_does(&words[6]), engine);
        }
    }

    #[test]
    fn what_xboard_cannot_read_is_an_error() {
        let long = "x".repeat(600);
        for (engine, part) in [
            (&["it's \"b c\"", "d"][..], "both kinds"),
            (&["a", &long], "up to 511 bytes"),
            (&["a}", "b"], "no word with }"),
        ] {
            let error = command(engine, "p").unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn each_piece_of_each_layout_has_two_pictures() {
        for (game, start) in [
            ("entropy", "sssss/s3s/5/o3o/ooooo o 0"),
            ("gobblet", ".,.,.,./.,.,.,./.,.,.,./.,.,.,. r"),
            ("projex", "2/3/4/3 x 1"),
            ("susan", "3/4/5/4/3 x 0"),
        ] {
            let layout = Layout::new(game, start).expect("it fits");
            let names: Vec<&str> = piece_files(game).iter().map(|(name, _)| *name).collect();
            // The slots between pawn and king.
            for (_, slot) in layout
                .letters
                .iter()
                .zip(["Knight", "Bishop", "Rook", "Queen"])
            {
                for colour in ["White", "Black"] {
                    let name = format!("{colour}{slot}.svg");
                    assert!(names.contains(&name.as_str()), "{game}: {name}");
                }
            }
            assert_eq!(names.len(), 2 * layout.letters.len());
        }
        assert!(piece_files("graph-hockey").is_empty());
    }

    #[test]
    fn pictures_have_the_size_that_xboard_scales_from() {
        for game in ["entropy", "gobblet", "projex", "susan"] {
            for (name, picture) in piece_files(game) {
                let is_svg = picture.starts_with("<svg ")
                    && picture.contains("width=\"100\" height=\"100\"");
                assert!(is_svg, "{game}/{name}");
            }
        }
    }
}
