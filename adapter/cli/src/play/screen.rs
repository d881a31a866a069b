//! The interface to a person's screen and input: a terminal, a pipe, a socket.

use std::io;

use crossbeam_channel::Receiver;
use unicode_width::UnicodeWidthStr;

use super::client::InputLine;
use super::frame::Frame;
use super::input::Input;
pub(crate) use crate::platform::Size;

/// The style of the dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InputMode {
    /// A person types the lines, and some words are executed before a waiting move. Otherwise the lines are a script:
    /// each is read when it can be executed.
    pub(crate) is_live: bool,
    /// Moves that lose at once and words that end a game must be typed twice.
    pub(crate) asks_twice: bool,
}

/// The text before the typed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// A move or word is expected.
    Ask(String),
    /// Other players are to move, but words are allowed.
    Wait(String),
}

/// A row of a screen, and the column of the cursor in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) cursor: usize,
}

impl Row {
    /// A row with the cursor behind it.
    pub(crate) fn new(text: &str) -> Row {
        Row {
            text: text.to_owned(),
            cursor: text.width(),
        }
    }
}

/// A person's screen and keyboard.
pub(crate) trait Screen {
    fn input_mode(&self) -> InputMode;

    /// `true` if refused moves are written to standard error.
    fn complains_apart(&self) -> bool {
        false
    }

    /// The current size of the screen; `None` if it is unknown, or if there is no screen.
    fn size(&self) -> Option<Size> {
        None
    }

    /// Whether the input is [keys](Input::Key), not lines. If its size is known, the screen can then be
    /// [painted](Screen::paint).
    fn reads_keys(&self) -> bool {
        false
    }

    /// Paints the whole screen, which lasts until the next call of [`show`](Screen::show).
    ///
    /// # Errors
    /// The screen cannot be written, or cannot be painted.
    fn paint(&mut self, _: &Frame) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The input. A line of a script arrives only after a [`Prompt::Ask`].
    fn input(&self) -> &Receiver<Input>;

    /// Called for each input that is handled, except for keys: ends the line on the screen, or shows one that the person did
    /// not type there. After [`Suspend`](Input::Suspend) it returns when the program goes on.
    ///
    /// # Errors
    /// The line cannot be written.
    fn echo(&mut self, input: &Input) -> io::Result<()>;

    /// Shows text, which consists of whole lines and may be empty, and below it the prompt with the line so far.
    ///
    /// # Errors
    /// The text cannot be written.
    fn show(&mut self, text: &str, prompt: &Prompt, line: &InputLine) -> io::Result<()>;

    /// Shows the last lines and ends the input.
    fn close(&mut self, text: &str);
}
