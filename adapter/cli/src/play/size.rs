//! Questions before the first move: the size of the board, where a game asks for it.

use std::io::{self, BufRead, Write};

use kit::{GameEntry, Options};
use protocol::text::excerpt;
use referee::plan::GameSpec;

use crate::output;
use crate::usage::Failure;

/// Asks the person at the terminal for the options that the game asks for; an empty line takes the default. Whoever
/// ends the input or types `quit` leaves.
pub(crate) fn ask(entry: &GameEntry, game: &mut GameSpec) -> Result<(), Failure> {
    let mut options = Options::new((entry.options)());
    for (name, question) in entry.questions {
        let value = ask_one(&mut options, name, question)?;
        game.options.push(((*name).to_owned(), value));
    }
    Ok(())
}

/// Asks for one option; its present value is that of an empty line.
pub(crate) fn ask_one(
    options: &mut Options,
    name: &str,
    question: &str,
) -> Result<String, Failure> {
    loop {
        let line = ask_line(&format!("{question} [{}]: ", options.text(name)))?;
        let line = line.trim();
        if line.is_empty() {
            return Ok(options.text(name).to_owned());
        }
        match options.set(name, Some(line)) {
            Ok(()) => return Ok(options.text(name).to_owned()),
            Err(error) => {
                let mut out = io::stdout().lock();
                writeln!(out, "{}", excerpt(&error.to_string())).map_err(Failure::Output)?;
            }
        }
    }
}

/// Asks for a line. Whoever ends the input or types `quit` leaves.
pub(crate) fn ask_line(question: &str) -> Result<String, Failure> {
    output::write(question).map_err(Failure::Output)?;
    let Some(line) = read_line() else {
        output::write("\n").map_err(Failure::Output)?;
        return Err(Failure::Left);
    };
    let word = line.trim().trim_start_matches(':').to_ascii_lowercase();
    if matches!(word.as_str(), "quit" | "q") {
        return Err(Failure::Left);
    }
    Ok(line)
}

/// A line from the terminal, which holds no long ones; `None` at the end.
fn read_line() -> Option<String> {
    let mut line = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut line);
    let is_line = read.is_ok_and(|n_bytes| n_bytes > 0);
    is_line.then(|| String::from_utf8_lossy(&line).into_owned())
}
