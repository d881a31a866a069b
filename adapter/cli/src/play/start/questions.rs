//! Questions at the terminal before the first move: the game, the size of the board, the level.

use std::io::{self, BufRead};

use kit::search::MAX_LEVEL;
use kit::{GameEntry, OptionKind, Options};
use protocol::text::excerpt;
use record::game_spec::GameSpec;
use record::registry::Registry;
use table::LevelChoice;
use table::level::{FIRST_LEVEL, Ratings};

use crate::game_name::{parse_typed_game, rules};
use crate::output;
use crate::platform::terminal::terminal_size;
use crate::play::ratings::OwnRatings;
use crate::play::style::{WIDTH, fill};
use crate::usage::{Done, Failure, OrFail};

/// Indentation of a game's description, in characters.
const INDENT: usize = 17;

/// Asks for a game and the size of its board. The end of the input or `quit` leaves the program.
pub(super) fn choose(registry: Registry) -> Done<GameSpec> {
    output::print_raw(&output::printable(&list(registry)))?;
    let n_games = registry.games().len();
    let read = |line: &str| read(line, registry).map_err(|failure| failure.text());
    let mut game = ask_until(&format!("Which game? 1 to {n_games}, or its name: "), read)?;
    if game.options.is_empty() {
        // The options that affect the shape of the board.
        let rules = rules(registry, &game)?;
        let (entry, shape) = (rules.entry(), rules.start().shape());
        let words = shape.split_whitespace();
        let names = words.filter_map(|word| word.split_once('='));
        let asked = names.map(|(name, _)| (name, question(entry, name)));
        ask(entry, &mut game, asked)?;
    }
    Ok(game)
}

/// The numbered list of games.
fn list(registry: Registry) -> String {
    let width = width();
    let item = |(number, entry): (usize, &&GameEntry)| {
        let (name, idea) = (entry.name, entry.about().idea);
        if width < WIDTH {
            return fill(&format!("{number}  {name}: {idea}"), width) + "\n";
        }
        let idea = fill(idea, WIDTH - INDENT).replace('\n', &format!("\n{:INDENT$}", ""));
        format!("{number}  {name:<14}{idea}\n")
    };
    (1..).zip(registry.games()).map(item).collect()
}

/// The width of a line.
fn width() -> usize {
    terminal_size().map_or(WIDTH, |size| size.columns.saturating_sub(1).min(WIDTH))
}

fn read(line: &str, registry: Registry) -> Done<GameSpec> {
    let number: Option<usize> = line.parse().ok();
    let numbered = number.and_then(|number| registry.games().get(number.checked_sub(1)?));
    let game = parse_typed_game(numbered.map_or(line, |entry| entry.name), registry).or_refuse()?;
    rules(registry, &game)?;
    Ok(game)
}

/// The game's question about an option, or its smallest and largest value.
fn question(entry: &GameEntry, name: &str) -> String {
    let mut asked = entry.texts().questions.iter();
    if let Some((_, question)) = asked.find(|(known, _)| *known == name) {
        return (*question).to_owned();
    }
    let declared = entry.source.options();
    let found = declared.iter().find(|decl| decl.name == name);
    match found.map(|decl| &decl.kind) {
        Some(OptionKind::Spin { min, max, .. }) => format!("{name}, {min} to {max}"),
        _ => name.to_owned(),
    }
}

/// Asks for options, each with its question; an empty line selects the default.
pub(super) fn ask<'a>(
    entry: &GameEntry,
    game: &mut GameSpec,
    asked: impl Iterator<Item = (&'a str, String)>,
) -> Done {
    let mut options = Options::new(entry.source.options());
    for (name, question) in asked {
        let question = format!("{question} [{}]: ", options.text(name));
        ask_until(&question, |line| {
            let line = Some(line).filter(|line| !line.is_empty());
            let set = line.map_or(Ok(()), |line| options.set(name, Some(line)));
            set.map_err(|error| excerpt(&error.to_string()))
        })?;
        let value = options.text(name).to_owned();
        game.options.push((name.to_owned(), value));
    }
    Ok(())
}

/// Asks for the level of the built-in engine; an empty line selects the one that follows the person's results.
pub(super) fn ask_level(game: &GameSpec) -> Done<LevelChoice> {
    let default = match OwnRatings.load(&game.to_string()) {
        Ok(_) => LevelChoice::Adaptive,
        Err(why) => {
            output::say(&format!("note: level adaptive is not available: {why}"))?;
            LevelChoice::Fixed(FIRST_LEVEL)
        }
    };
    let question = format!(
        "Level, 0 (easy) to {MAX_LEVEL}, or adaptive: it follows your results [{default}]: "
    );
    ask_until(&question, |line| {
        let level = line.trim_start_matches("level").trim();
        match line {
            "" => Ok(default),
            _ => level
                .parse()
                .map_err(|why| format!("{}: {why}", excerpt(line))),
        }
    })
}

/// Asks for a line, whose length the terminal limits, until it can be read. The end of the input or `quit` leaves the
/// program.
fn ask_until<T>(question: &str, mut read: impl FnMut(&str) -> Result<T, String>) -> Done<T> {
    loop {
        let asked = fill(question.trim_end(), width());
        output::print_raw(&output::printable(&format!("{asked} ")))?;
        let mut line = Vec::new();
        let n_read = io::stdin().lock().read_until(b'\n', &mut line);
        if !n_read.is_ok_and(|n_bytes| n_bytes > 0) {
            output::print_raw("\n")?;
            return Err(Failure::Left);
        }
        let line = String::from_utf8_lossy(&line);
        let word = line.trim().trim_start_matches(':').to_ascii_lowercase();
        if matches!(word.as_str(), "quit" | "q") {
            return Err(Failure::Left);
        }
        match read(line.trim()) {
            Ok(value) => return Ok(value),
            Err(why) => output::say(&fill(&why, width()))?,
        }
    }
}
