//! The host's terminal, or standard input and output.

use std::env;
use std::io::{self, IsTerminal};

use crossbeam_channel::{Receiver, Sender};

use super::lines::Lines;
use super::raw_terminal::RawTerminal;
use super::screen::{Input, Screen};
use super::style::BoardStyle;
use crate::args::PlayArgs;
use crate::output::is_ascii_locale;

/// Properties of standard input and output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    /// Whether standard input is a terminal.
    pub(crate) is_interactive: bool,
    /// `true` for line editing and colours.
    pub(crate) is_edited: bool,
}

impl Terminal {
    pub(crate) fn here() -> Terminal {
        let is_interactive = io::stdin().is_terminal();
        let is_dumb = |term: String| matches!(term.as_str(), "dumb" | "emacs" | "cons25");
        let is_dumb = env::var("TERM").is_ok_and(is_dumb);
        Terminal {
            is_interactive,
            is_edited: is_interactive && io::stdout().is_terminal() && !is_dumb,
        }
    }

    /// Starts the input, and returns the screen. Lines sent to `sender` arrive at `input`.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn open(
        self,
        sender: Sender<Input>,
        input: Receiver<Input>,
        style: &BoardStyle,
    ) -> io::Result<Box<dyn Screen>> {
        if self.is_edited
            && let Ok(terminal) = RawTerminal::open(sender.clone(), input.clone())
        {
            return Ok(Box::new(terminal));
        }
        let lines = Lines::open(sender, input, self.is_interactive, style.clone())?;
        Ok(Box::new(lines))
    }

    pub(crate) fn style(self, args: &PlayArgs) -> BoardStyle {
        let is_wanted = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        BoardStyle {
            is_ascii: args.ascii || is_ascii_locale(),
            is_coloured: self.is_edited && is_wanted,
            ..BoardStyle::default()
        }
    }
}
