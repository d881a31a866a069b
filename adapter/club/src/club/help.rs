//! `help`: the commands, and the rules of a game.

use super::work::Work;
use crate::email::wrap;
use crate::error::Answer;
use crate::script::{self, Line, Words};
use crate::store::ENGINE_NAME;

/// Commands and their descriptions. TOKEN at the end of a line is the account token; after USER, the board's token is
/// valid too.
const COMMANDS: &str = include_str!("commands.txt");

impl Work<'_> {
    /// `help [GAME]`, `GAME help`
    pub(super) fn help(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let game = match words.next() {
            Some(text) if script::command(text).is_none() => Some(self.game_named(text)?),
            Some(text) => script::game(text, &self.games),
            None => line.game,
        };
        words.end("help GAME")?;
        Ok(match game {
            Some(game) => self.rules_of(game),
            None => self.commands(),
        })
    }

    fn rules_of(&self, name: &str) -> String {
        let Ok(entry) = self.host.registry.find(name) else {
            return String::new();
        };
        // The texts have move codes in backticks, for example `b2`.
        let plain = |text: &str| wrap(&text.replace('`', ""));
        let about = entry.about();
        let (idea, example) = (plain(about.idea), plain(about.example));
        let mut text = format!("{}\n\n{idea}\n\n{example}\n", about.heading());
        for section in &about.rules {
            text += &format!("\n{}\n{}\n", section.heading, plain(section.text));
        }
        let options = entry.source.options();
        let options: Vec<&str> = options.iter().map(|option| option.name.as_ref()).collect();
        if let Some(first) = options.first() {
            let options = options.join(", ");
            let how = format!("challenge {name}:{first}=VALUE USER TOKEN");
            text += &format!("\nOptions: {options}. As in: {how}\n");
        }
        text
    }

    fn commands(&self) -> String {
        let intro = wrap(
            "Write commands in the subject, or at the start of the text, one per line. To answer an e-mail about a \
             board, the move alone is enough: as the first line, above the quoted text.",
        );
        let rest = wrap(&format!(
            "TOKEN after USER is the token in the e-mails about the board; otherwise it is the token of the account. A \
             reply to an e-mail need not repeat the board, the user or the token. {ENGINE_NAME} is the engine, which \
             answers at once. Games: {}.",
            self.games.join(", ")
        ));
        format!("{intro}\n\n{COMMANDS}\n{rest}\n")
    }
}
