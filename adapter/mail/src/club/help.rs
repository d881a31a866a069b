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
    ("signup NAME", "opens an account; its token comes by e-mail"),
    (
        "challenge GAME USER TOKEN",
        "starts a game; of two users, the first begins;",
    ),
    ("", "options: susan:Size=4, days=3, level=5"),
    (
        "accept BOARD TOKEN",
        "accepts a challenge, a draw or an undo",
    ),
    ("decline BOARD TOKEN", "declines it"),
    (
        "move BOARD USER TOKEN CODE[#N]",
        "makes a move; with N, only as move N",
    ),
    ("queue BOARD USER TOKEN CODE#N", "plays a move in advance"),
    (
        "swap|pass BOARD USER TOKEN",
        "these moves, in games that have them",
    ),
    ("resign BOARD USER TOKEN", ""),
    ("draw BOARD USER TOKEN", "offers a draw, or accepts one"),
    (
        "undo BOARD USER TOKEN",
        "asks to take back a move, or agrees",
    ),
    ("show BOARD[#N]", "a game, after move N"),
    (
        "show USER [next]",
        "games of a user; those with USER to move",
    ),
    ("games, players", "games in play; users"),
    ("history BOARD|USER", "moves and notes; finished games"),
    ("standings [GAME]", "points"),
    ("ratings [GAME]", "Elo"),
    ("message USER TOKEN", "sends USER the text below"),
    ("note BOARD USER TOKEN TEXT", "adds a note to the game"),
    ("watch|unwatch BOARD TOKEN", "an e-mail after each move"),
    ("vacation DAYS|off TOKEN", "stops the time for your moves"),
    ("address [NEW] TOKEN", "show or change the address"),
    ("token [BOARD USER] TOKEN", "replaces the token"),
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
                        crate::script::word(text),
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
        "Write commands in the subject, or at the start of the text, one per line. To answer an e-mail about a board, \
         the move alone is enough: as the first line, above the quoted text.",
    );
    text.push_str("\n\n");
    for (command, what) in COMMANDS {
        let _ = writeln!(text, "{:32}{}", command, what);
    }
    let rest = format!(
        "TOKEN after USER is the token in the e-mails about the board; otherwise it is the token of the account. A \
         reply to an e-mail need not repeat the board, the user or the token. {ENGINE_NAME} is the engine, which \
         answers at once. Games: {}.",
        games.join(", ")
    );
    let _ = write!(text, "\n{}\n", wrap(&rest));
    text
}
