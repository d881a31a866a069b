//! Builds the command line that starts XBoard for a game.

use std::borrow::Cow;
use std::path::Path;

use super::layout::Layout;

/// Width of a square in pixels, for a board with the usual number of files.
const SQUARE: usize = 50;

/// Number of files for which XBoard's sizes are meant. A board with more files gets smaller squares.
const USUAL_FILES: usize = 8;

/// Returns the command that starts XBoard with a game and an engine. `engine` is the engine's own command line.
///
/// XBoard's own checks of moves, repetitions and moves without captures are turned off, because the engine makes them.
pub fn xboard_command(layout: &Layout, engine: &[String], pieces: &Path) -> Vec<String> {
    let size = SQUARE * layout.n_shown_files() / USUAL_FILES;
    let words = [
        "xboard",
        "-variant",
        layout.variant(),
        "-size",
        &size.to_string(),
        "-fcp",
        &shell_line(engine),
        "-scp",
        &shell_line(engine),
        "-testLegality",
        "false",
        "-ruleMoves",
        "0",
        "-repeatsToDraw",
        "0",
        "-trueColors",
        "true",
        "-pid",
        &pieces.display().to_string(),
    ];
    words.map(str::to_owned).to_vec()
}

/// Quotes words for a shell, which XBoard also understands. Quotes only the words that need it.
pub fn shell_line(words: &[String]) -> String {
    let words = words.iter().map(|word| quote(word));
    words.collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> Cow<'_, str> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:=,+@%".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    // A word with a NUL cannot be quoted, but cannot be in a command line either.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_ready_to_paste() {
        let engine = ["linesman", "bridge", "cecp", "susan"].map(str::to_owned);
        let layout = Layout::new("susan", "3/4/5/4/3 x 0").expect("it fits");
        let words = xboard_command(&layout, &engine, Path::new("/home/a b/pieces"));
        assert_eq!(
            shell_line(&words),
            "xboard -variant susan -size 56 -fcp 'linesman bridge cecp susan' -scp 'linesman bridge cecp susan' \
             -testLegality false -ruleMoves 0 -repeatsToDraw 0 -trueColors true -pid '/home/a b/pieces'"
        );
    }
}
