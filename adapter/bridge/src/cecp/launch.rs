//! The command line of XBoard for a game.

use std::path::Path;

/// The words of a command that starts XBoard with a game and an engine, which is a command line of its own.
///
/// XBoard counts neither repetitions nor moves without captures, and tests no move: the engine does.
pub fn xboard_command(variant: &str, engine: &[String], pieces: &Path) -> Vec<String> {
    let words = [
        "xboard",
        "-variant",
        variant,
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

/// Words as a line that a shell splits into them again.
pub fn shell_line(words: &[String]) -> String {
    // A word with a NUL cannot be quoted, and no command line holds one.
    let words = words.iter().map(String::as_str);
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_ready_to_paste() {
        let engine = ["linesman", "bridge", "cecp", "susan"].map(str::to_owned);
        let words = xboard_command("susan", &engine, Path::new("/home/a b/pieces"));
        assert_eq!(
            shell_line(&words),
            "xboard -variant susan -fcp 'linesman bridge cecp susan' -scp 'linesman bridge cecp susan' \
             -testLegality false -ruleMoves 0 -repeatsToDraw 0 -trueColors true -pid '/home/a b/pieces'"
        );
    }
}
