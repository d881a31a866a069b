//! The choice of a game if the command line names none.

use kit::{OptionKind, Options};
use record::game_spec::GameSpec;
use record::registry::Registry;

use super::size;
use crate::game_name::{parse_typed_game, rules};
use crate::output;
use crate::platform::terminal_size;
use crate::play::text::{WIDTH, fill};
use crate::usage::{Failure, OrFail};

/// Indentation of a game's description, in characters.
const INDENT: usize = 17;

/// Asks the user at the terminal for a game and the size of its board. The end of the input or `quit` leaves the
/// program.
pub(crate) fn choose(registry: Registry) -> Result<GameSpec, Failure> {
    output::print_raw(&output::printable(&list(registry)))?;
    let mut game = loop {
        let n_games = registry.games().len();
        let question = format!("Which game? 1 to {n_games}, or its name: ");
        let line = size::ask_line(&question)?;
        match read(line.trim(), registry) {
            Ok(game) => break game,
            Err(failure) => output::print(&failure.text(), false)?,
        }
    };
    if game.options.is_empty() {
        ask_shape(registry, &mut game)?;
    }
    Ok(game)
}

/// The numbered list of games.
fn list(registry: Registry) -> String {
    let mut text = String::new();
    let width = terminal_size().map_or(WIDTH, |size| size.columns.saturating_sub(1).min(WIDTH));
    if width < WIDTH {
        for (number, entry) in (1..).zip(registry.games()) {
            text.push_str(&fill(
                &format!("{number}  {}: {}", entry.name, entry.about().idea),
                width,
            ));
            text.push('\n');
        }
        return text;
    }
    for (number, entry) in (1..).zip(registry.games()) {
        let idea = fill(entry.about().idea, WIDTH - INDENT);
        let idea = idea.replace('\n', &format!("\n{:INDENT$}", ""));
        text.push_str(&format!("{number}  {:<14}{idea}\n", entry.name));
    }
    text
}

fn read(line: &str, registry: Registry) -> Result<GameSpec, Failure> {
    let number: Option<usize> = line.parse().ok();
    let numbered = number.and_then(|number| registry.games().get(number.checked_sub(1)?));
    let name = numbered.map_or(line, |entry| entry.name);
    let game = parse_typed_game(name, registry).or_refuse()?;
    rules(registry, &game)?;
    Ok(game)
}

/// Asks for each option that affects the shape of the board.
fn ask_shape(registry: Registry, game: &mut GameSpec) -> Result<(), Failure> {
    let rules = rules(registry, game)?;
    let entry = rules.entry();
    let mut options = Options::new(entry.source.options());
    let shape = rules.start().shape();
    let names = shape
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    for (name, _) in names {
        let asked = entry
            .texts()
            .questions
            .iter()
            .find(|(known, _)| *known == name);
        let question = match asked {
            Some((_, question)) => (*question).to_owned(),
            None => range(&entry.source.options(), name),
        };
        let value = size::ask_one(&mut options, name, &question)?;
        game.options.push((name.to_owned(), value));
    }
    Ok(())
}

/// An option with its smallest and largest value.
fn range(declared: &[kit::OptionDecl], name: &str) -> String {
    let found = declared.iter().find(|decl| decl.name == name);
    match found.map(|decl| &decl.kind) {
        Some(OptionKind::Spin { min, max, .. }) => format!("{name}, {min} to {max}"),
        _ => name.to_owned(),
    }
}
