//! What a person types and reads at: a terminal, a pipe, a socket.

use std::io;

use crossbeam_channel::Receiver;

use super::frame::Frame;
use super::input::Input;
pub(crate) use crate::platform::Size;

/// How lines are taken, and how someone is asked for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Manners {
    /// Lines come when someone types them, and some words overtake a move that waits. Otherwise the lines are a
    /// script: one is read when it can be carried out.
    pub(crate) is_live: bool,
    /// A move that loses at once, and words that end a game, are asked for twice.
    pub(crate) asks_twice: bool,
}

/// What is shown before a line is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// The person is asked.
    Ask(String),
    /// The person may type words, while others are to move.
    Wait(String),
}

/// Someone's screen and keyboard.
pub(crate) trait Screen {
    fn manners(&self) -> Manners;

    /// How large the screen is now; `None` where nobody knows, or where there is no screen.
    fn size(&self) -> Option<Size> {
        None
    }

    /// Whether the screen can be [painted](Screen::paint).
    fn takes_keys(&self) -> bool {
        false
    }

    /// Shows a whole screen, and takes single keys instead of lines until [`show`](Screen::show) is called again.
    ///
    /// # Errors
    /// The screen cannot be written, or cannot be painted.
    fn paint(&mut self, _: &Frame) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Lines as they come. A script's line comes after a [`Prompt::Ask`] alone.
    fn input(&self) -> &Receiver<Input>;

    /// A line was taken from the input: shows it where the person has not typed it on this screen.
    ///
    /// # Errors
    /// The line cannot be written.
    fn echo(&mut self, input: &Input) -> io::Result<()>;

    /// Shows text of whole lines, which may be empty, and the prompt below it. `completions` gives the words and moves
    /// that Tab completes.
    ///
    /// # Errors
    /// The text cannot be written.
    fn show(
        &mut self,
        text: &str,
        prompt: &Prompt,
        completions: &dyn Fn() -> Vec<String>,
    ) -> io::Result<()>;

    /// Shows the last lines; no more is asked.
    fn close(&mut self, text: &str);
}
