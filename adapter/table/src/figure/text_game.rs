//! The one game of a text, for clients that cannot ask which one is meant.

use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};

use super::{Figure, FigureReader, Reading};
use crate::journal::Journal;

/// The first game of a text.
#[derive(Debug, Clone)]
pub struct TextGame {
    /// The starting position.
    pub start: Opening,
    /// The moves after it, and variations of them, each from the starting position on.
    pub lines: Vec<Vec<String>>,
    /// A line for people: the position, the moves, and text that looks like a move and was not used.
    pub note: String,
}

impl TextGame {
    /// Reads a text. If it contains several games, the first is used; if the side to move is unknown, that which the
    /// game assumes.
    ///
    /// # Errors
    /// The text contains no game; the message says what is wrong.
    pub fn read(rules: &Rules, text: &str) -> Result<TextGame, String> {
        let mut reader = FigureReader::new(rules.entry(), rules.options());
        reader.push_text(text);
        let Reading { games, unused } = reader.read();
        let n_games = games.len();
        let Figure { candidates, .. } = match games.into_iter().next() {
            Some(game) => game.map_err(|why| why.to_string())?,
            None => return Err(reader.explain().to_string()),
        };
        let candidate = candidates
            .into_iter()
            .next()
            .expect("a figure has a position");
        let mut note = format!("read: {} ({} to move)", candidate.fen, candidate.name);
        if !candidate.moves.is_empty() {
            note.push_str(&format!(", then {}", candidate.moves.join(" ")));
        }
        if n_games > 1 {
            note.push_str(&format!("; the first of {n_games} games"));
        }
        if !unused.is_empty() {
            let unused: Vec<String> = unused.iter().map(ToString::to_string).collect();
            note.push_str(&format!("; not used: {}", unused.join(", ")));
        }
        let lines = [candidate.moves].into_iter().chain(candidate.variations);
        Ok(TextGame {
            start: Opening {
                fen: Some(candidate.fen).filter(|fen| *fen != rules.start().fen()),
                moves: Vec::new(),
            },
            lines: lines.filter(|line| !line.is_empty()).collect(),
            note,
        })
    }

    /// The game at a table.
    pub fn journal(self, id: String) -> Journal {
        let mut journal = Journal::new(id, self.start);
        journal.add_lines(self.lines);
        journal
    }
}

/// The game, with default options, in which most of a text can be read: its boards and moves. Of several such games, the
/// text must name one.
///
/// # Errors
/// There is no such game, or there are several.
pub fn recognise(registry: Registry, text: &str) -> Result<GameSpec, String> {
    let mut best: Vec<GameSpec> = Vec::new();
    let mut most = 1;
    for entry in registry.games() {
        let spec = GameSpec::new(entry.name, []);
        let Some(rules) = registry.rules(&spec).ok().flatten() else {
            continue;
        };
        let mut reader = FigureReader::new(rules.entry(), rules.options());
        reader.push_text(text);
        let reading = reader.read();
        let n_moves: usize = reading
            .games
            .iter()
            .flatten()
            .map(|game| game.candidates[0].moves.len())
            .sum();
        let n_read = reader.n_boards() + n_moves;
        if n_read > most {
            best.clear();
            most = n_read;
        }
        if n_read == most {
            best.push(spec);
        }
    }
    if best.len() > 1 && best.iter().any(|spec| names(text, &spec.name)) {
        best.retain(|spec| names(text, &spec.name));
    }
    match best.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err("no game can read the text: expected a board or moves".to_owned()),
        several => {
            let names: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!(
                "the text fits {}: expected the game",
                names.join(", ")
            ))
        }
    }
}

/// `true` if the words of a game's name are in a text, in any letter case.
fn names(text: &str, game: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|sign: char| !sign.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        format!(" {} ", words.join(" "))
    };
    words(text).contains(&words(game))
}
