//! Questions before the first move, such as the size of the board.

use std::io::{self, BufRead, Write};

use kit::search::MAX_LEVEL;
use kit::{GameEntry, Options};
use protocol::text::excerpt;
use record::game_spec::GameSpec;
use table::LevelChoice;
use table::adaptive::{FIRST_LEVEL, Ratings};

use crate::output;
use crate::play::ratings::OwnRatings;
use crate::usage::Failure;

/// Asks the user at the terminal for the options about which the game has questions; an empty line selects the default.
/// The end of the input or `quit` leaves the program.
pub(crate) fn ask(entry: &GameEntry, game: &mut GameSpec) -> Result<(), Failure> {
    let mut options = Options::new(entry.source.options());
    for (name, question) in &entry.texts().questions {
        let value = ask_one(&mut options, name, question)?;
        game.options.push(((*name).to_owned(), value));
    }
    Ok(())
}

/// Asks for the level of the built-in engine; an empty line selects the one that follows the person's results.
pub(super) fn ask_level(game: &GameSpec) -> Result<LevelChoice, Failure> {
    let default = match OwnRatings.load(&game.to_string()) {
        Ok(_) => LevelChoice::ADAPTIVE,
        Err(why) => {
            output::say(&format!("note: level adaptive is not available: {why}"))?;
            LevelChoice::Fixed(FIRST_LEVEL)
        }
    };
    let question = format!("Level, 0 (easy) to {MAX_LEVEL}, or adaptive: it follows your results");
    loop {
        let line = ask_line(&format!("{question} [{default}]: "))?;
        match line.trim() {
            "" => return Ok(default),
            word => match word.trim_start_matches("level").trim().parse() {
                Ok(level) => return Ok(level),
                Err(why) => output::say(&format!("{}: {why}", excerpt(word)))?,
            },
        }
    }
}

/// Asks for one option; an empty line keeps its current value.
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

/// Asks for a line. The end of the input or `quit` leaves the program.
pub(crate) fn ask_line(question: &str) -> Result<String, Failure> {
    output::print_raw(&output::printable(question))?;
    let Some(line) = read_line() else {
        output::print_raw("\n")?;
        return Err(Failure::Left);
    };
    let word = line.trim().trim_start_matches(':').to_ascii_lowercase();
    if matches!(word.as_str(), "quit" | "q") {
        return Err(Failure::Left);
    }
    Ok(line)
}

/// Reads a line, whose length the terminal limits; `None` at the end of the input.
fn read_line() -> Option<String> {
    let mut line = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut line);
    let is_line = read.is_ok_and(|n_bytes| n_bytes > 0);
    is_line.then(|| String::from_utf8_lossy(&line).into_owned())
}
