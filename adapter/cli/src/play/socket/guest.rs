//! One guest: a client of the table whose screen is a connection.

use std::io;

use crossbeam_channel::Receiver;
use table::{Role, TableSession};

use super::connection::Connection;
use crate::play::client::{Client, End};
use crate::play::line::InputLine;
use crate::play::screen::{Input, InputMode, Prompt, Screen};
use crate::play::style::BoardStyle;
use crate::play::text;

/// Runs the dialogue with a guest until the end of the connection.
pub(super) fn talk(connection: Connection, joined: TableSession, is_ascii: bool) {
    let greeting = greeting(&joined);
    let style = BoardStyle::plain(is_ascii);
    let mut guest = Guest {
        connection,
        prompt: None,
    };
    let client = Client::new(joined.into_parts(), &mut guest, style);
    let last_line = match client.run(&greeting).map(|left| left.end) {
        Ok(End::Left) => "goodbye".to_owned(),
        Ok(End::Flooded) => "too much input: connection closed".to_owned(),
        Ok(End::Closed { why, .. }) => why,
        // The guest does not read, or is disconnected.
        Err(_) => return,
    };
    guest.connection.close(&last_line);
}

fn greeting(joined: &TableSession) -> String {
    let game = joined.game();
    let header = text::header(game, false);
    let Role::Player(sides) = game.snapshot().role else {
        return format!("{header}\nyou are watching");
    };
    let sides = text::side_names(game, sides);
    let partners = text::partners(game).map_or_else(String::new, |text| format!("{text}\n"));
    format!(
        "{header}\nyou play {sides}\n{partners}if the connection is lost, return with the same line"
    )
}

/// A guest's screen.
struct Guest {
    connection: Connection,
    /// The prompt on the line of the cursor.
    prompt: Option<String>,
}

impl Screen for Guest {
    fn input_mode(&self) -> InputMode {
        InputMode {
            is_live: true,
            asks_twice: false,
        }
    }

    fn input(&self) -> &Receiver<Input> {
        &self.connection.input
    }

    fn echo(&mut self, _: &Input) -> io::Result<()> {
        // The guest's own line has ended the line of the prompt.
        self.prompt = None;
        Ok(())
    }

    fn show(&mut self, text: &str, prompt: &Prompt, _: &InputLine) -> io::Result<()> {
        let wanted = match prompt {
            Prompt::Ask(prompt) => Some(prompt),
            Prompt::Wait(_) => None,
        };
        if text.is_empty() && (wanted.is_none() || wanted == self.prompt.as_ref()) {
            return Ok(());
        }
        let break_line = if self.prompt.is_some() { "\n" } else { "" };
        self.prompt = wanted.cloned();
        let prompt = wanted.map_or("", String::as_str);
        self.connection.send(&format!("{break_line}{text}{prompt}"))
    }

    fn close(&mut self, text: &str) {
        let _ = self.connection.send(text);
    }
}
