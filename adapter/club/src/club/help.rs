//! `help`: the commands, and the rules of a game.

use std::fmt::Write;

use super::work::Work;
use crate::email::wrap;
use crate::error::{Answer, misread};
use crate::script::{self, Line, Words};
use crate::store::ENGINE_NAME;

/// Commands and their descriptions. TOKEN at the end of a line is the account token; after USER, the board's token is
/// valid too.
const COMMANDS: &str = include_str!("commands.txt");

impl Work<'_> {
    /// `help [GAME]`, `GAME help`
    pub(super) fn help(&mut self, line: &Line) -> Answer<String> {
        let games = self.games();
        let mut words = Words::new(&line.rest);
        self.skip_token(&mut words)?;
        let game = match words.next() {
            None => line.game,
            Some(text) => match (script::game(text, &games), script::command(text)) {
                (None, None) => {
                    return misread!(
                        "{}: expected one of {}",
                        script::word(text),
                        games.join(", ")
                    );
                }
                (game, _) => game,
            },
        };
        words.end("help GAME")?;
        Ok(match game {
            Some(game) => self.rules_of(game),
            None => commands(&games),
        })
    }

    fn rules_of(&self, name: &str) -> String {
        let Ok(entry) = self.host.registry.find(name) else {
            return String::new();
        };
        let about = entry.about();
        let mut text = format!("{}\n\n", about.heading());
        let (idea, example) = (wrap(about.idea), wrap(&plain(about.example)));
        let _ = write!(text, "{idea}\n\n{example}\n");
        for section in &about.rules {
            let rules = wrap(&plain(section.text));
            let _ = write!(text, "\n{}\n{rules}\n", section.heading);
        }
        let options = entry.source.options();
        let options: Vec<&str> = options.iter().map(|option| option.name.as_ref()).collect();
        if let Some(first) = options.first() {
            let options = options.join(", ");
            let how = format!("challenge {name}:{first}=VALUE USER TOKEN");
            let _ = write!(text, "\nOptions: {options}. As in: {how}\n");
        }
        text
    }
}

/// Returns a text without backticks around move codes.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn commands(games: &[&str]) -> String {
    let intro = wrap(
        "Write commands in the subject, or at the start of the text, one per line. To answer an e-mail about a board, \
         the move alone is enough: as the first line, above the quoted text.",
    );
    let rest = wrap(&format!(
        "TOKEN after USER is the token in the e-mails about the board; otherwise it is the token of the account. A \
         reply to an e-mail need not repeat the board, the user or the token. {ENGINE_NAME} is the engine, which \
         answers at once. Games: {}.",
        games.join(", ")
    ));
    format!("{intro}\n\n{COMMANDS}\n{rest}\n")
}
