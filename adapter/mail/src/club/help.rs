//! `help`: the commands, and the rules of a game.

use std::fmt::Write;

use super::work::Work;
use crate::error::{Answer, refuse};
use crate::letter::wrap;
use crate::script::{self, Line, Words};
use crate::store::ENGINE_NAME;

/// Commands and their descriptions. TOKEN at the end of a line is the account token; after USER, the board's token is
/// valid too.
const COMMANDS: [(&str, &str); 25] = [
    ("help [GAME]", "this list; the rules of a game"),
    ("signup NAME", "an account; its token comes by mail"),
    (
        "challenge GAME USER TOKEN",
        "a game; two users say who begins;",
    ),
    ("", "options as susan:Size=4, days=3, level=5"),
    ("accept BOARD TOKEN", "plays; agrees to a draw or an undo"),
    ("decline BOARD TOKEN", "does not"),
    (
        "move BOARD USER TOKEN CODE[#N]",
        "a move, if N is its number",
    ),
    ("queue BOARD USER TOKEN CODE#N", "a move in advance"),
    ("swap|pass BOARD USER TOKEN", "where the game has it"),
    ("resign BOARD USER TOKEN", ""),
    ("draw BOARD USER TOKEN", "offers a draw, or agrees"),
    (
        "undo BOARD USER TOKEN",
        "asks for one's move back, or agrees",
    ),
    ("show BOARD[#N]", "a game, after move N"),
    ("show USER [next]", "his games; where he is to move"),
    ("games, players", "what is played, and by whom"),
    ("history BOARD|USER", "moves and notes; finished games"),
    ("standings [GAME]", "points"),
    ("ratings [GAME]", "Elo"),
    ("message USER TOKEN", "the text below goes to him"),
    ("note BOARD USER TOKEN TEXT", "is kept with the game"),
    ("watch|unwatch BOARD TOKEN", "a letter after each move"),
    ("vacation DAYS|off TOKEN", "no time runs meanwhile"),
    ("address [NEW] TOKEN", "where letters go"),
    (
        "token [BOARD USER] TOKEN",
        "a new token instead of this one",
    ),
    ("signoff TOKEN", "closes the account"),
];

impl Work<'_> {
    /// `help [GAME]`, `GAME help`
    pub(super) fn help(&mut self, line: &Line) -> Answer<String> {
        let games = self.games();
        let named = Words::new(&line.rest).next();
        let game = match named {
            Some(text) => match script::game(text, &games) {
                Some(game) => Some(game),
                None if script::command(text).is_some() => None,
                None => {
                    let why = format!(
                        "{}: expected one of {}",
                        super::show::word(text),
                        games.join(", ")
                    );
                    return refuse(why);
                }
            },
            None => line.game,
        };
        Ok(match game {
            Some(game) => self.rules_of(game),
            None => commands(&games),
        })
    }

    fn rules_of(&self, name: &str) -> String {
        let found = self
            .host
            .registry
            .games()
            .iter()
            .find(|entry| entry.name == name);
        let Some(entry) = found else {
            return String::new();
        };
        let about = entry.about;
        let mut text = format!("{} ({}, {})\n\n", about.title, about.author, about.year);
        let _ = write!(
            text,
            "{}\n\n{}\n",
            wrap(about.idea),
            wrap(&plain(about.example))
        );
        for section in about.rules {
            let _ = write!(
                text,
                "\n{}\n{}\n",
                section.heading,
                wrap(&plain(section.text))
            );
        }
        let options: Vec<String> = (entry.options)()
            .iter()
            .map(|option| option.name.to_owned())
            .collect();
        if !options.is_empty() {
            let _ = write!(
                text,
                "\nOptions: {}. As in: challenge {name}:{}=VALUE USER TOKEN\n",
                options.join(", "),
                options[0]
            );
        }
        text
    }
}

/// Returns a text without backticks around move codes.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn commands(games: &[&str]) -> String {
    let mut text = wrap(
        "Commands stand in the subject, or at the head of the text, one a line. To a letter about a board, the move alone is answer enough: as the first line, above what is quoted.",
    );
    text.push_str("\n\n");
    for (command, what) in COMMANDS {
        let _ = writeln!(text, "{:32}{}", command, what);
    }
    let rest = format!(
        "TOKEN behind USER is the one in the letters about the board; elsewhere it is that of the account. What a letter carries, its answer need not repeat. {ENGINE_NAME} is the engine: it answers at once. Games: {}.",
        games.join(", ")
    );
    let _ = write!(text, "\n{}\n", wrap(&rest));
    text
}
