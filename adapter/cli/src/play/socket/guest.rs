//! One guest: a client of the table whose screen is a connection.

use std::io;

use crossbeam_channel::Receiver;
use record::table::Role;
use table::TableSession;

use super::connection::Connection;
use crate::play::client::{Client, End, ListTables};
use crate::play::input::Input;
use crate::play::screen::{InputMode, Prompt, Screen, Size};
use crate::play::style::BoardStyle;
use crate::play::text;

/// Runs the dialogue with a guest until the end of the connection. Returns whether the guest has returned on another
/// connection.
pub(super) fn talk(
    connection: Connection,
    joined: TableSession,
    is_ascii: bool,
    list_tables: Option<ListTables>,
) -> bool {
    let greeting = greeting(&joined);
    let style = BoardStyle {
        is_ascii,
        ..BoardStyle::default()
    };
    let mut guest = Guest {
        connection,
        prompt: None,
    };
    let mut client = Client::new(joined.into_parts(), &mut guest, style);
    client.list_tables = list_tables;
    let (last_line, is_replaced) = match client.run(&greeting).map(|left| left.end) {
        Ok(End::Left) => ("goodbye".to_owned(), false),
        Ok(End::Flooded) => ("too much input: connection closed".to_owned(), false),
        Ok(End::Closed { why, .. }) => (why, true),
        // The guest does not read, or is disconnected.
        Err(_) => return false,
    };
    guest.connection.close(&last_line);
    is_replaced
}

fn greeting(joined: &TableSession) -> String {
    let header = text::header(joined.game());
    let place = match joined.game().snapshot().role {
        Role::Player(sides) => {
            format!("you play {}", text::side_names(joined.game(), sides))
        }
        Role::Host | Role::Spectator => "you are watching".to_owned(),
    };
    let mut greeting = format!("{header}\n{place}");
    let partners = text::partners(joined.game());
    let joint = match &partners {
        Some(partners) => {
            greeting = format!("{greeting}\n{partners}");
            "\n"
        }
        None => "; ",
    };
    match joined.token() {
        Some(token) => {
            format!("{greeting}{joint}if the connection is lost, return with: join {token}")
        }
        None => greeting,
    }
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

    fn size(&self) -> Option<Size> {
        self.connection.size()
    }

    fn input(&self) -> &Receiver<Input> {
        &self.connection.input
    }

    fn echo(&mut self, _: &Input) -> io::Result<()> {
        // The guest's own line has ended the line of the prompt.
        self.prompt = None;
        Ok(())
    }

    fn show(&mut self, text: &str, prompt: &Prompt, _: &dyn Fn() -> Vec<String>) -> io::Result<()> {
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
