//! The host's terminal, or standard input and output.

use std::env;
use std::io::{self, IsTerminal};

use crossbeam_channel::{Receiver, Sender};

use super::editor::Editor;
use super::frame::Frame;
use super::input::Input;
use super::lines::Lines;
use super::screen::{InputMode, Prompt, Screen, Size};
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
    pub(crate) fn here(args: &PlayArgs) -> Terminal {
        let is_interactive = io::stdin().is_terminal();
        let is_dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
        Terminal {
            is_interactive,
            is_edited: is_interactive && io::stdout().is_terminal() && !is_dumb && !args.plain,
        }
    }

    /// Starts the input. Lines sent to `sender` arrive at `input`.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn open(
        self,
        sender: Sender<Input>,
        input: Receiver<Input>,
        style: &BoardStyle,
    ) -> io::Result<HostScreen> {
        if self.is_edited
            && let Some(editor) = Editor::open(sender.clone(), input.clone())
        {
            return Ok(HostScreen::Editor(editor));
        }
        Lines::open(sender, input, self.is_interactive, style.clone()).map(HostScreen::Lines)
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

/// The screen of the person who started the program.
pub(crate) enum HostScreen {
    Editor(Editor),
    Lines(Lines),
}

impl HostScreen {
    fn get(&self) -> &dyn Screen {
        match self {
            HostScreen::Editor(editor) => editor,
            HostScreen::Lines(lines) => lines,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Screen {
        match self {
            HostScreen::Editor(editor) => editor,
            HostScreen::Lines(lines) => lines,
        }
    }
}

impl Screen for HostScreen {
    fn input_mode(&self) -> InputMode {
        self.get().input_mode()
    }

    fn input(&self) -> &Receiver<Input> {
        self.get().input()
    }

    fn complains_apart(&self) -> bool {
        self.get().complains_apart()
    }

    fn size(&self) -> Option<Size> {
        self.get().size()
    }

    fn takes_keys(&self) -> bool {
        self.get().takes_keys()
    }

    fn paint(&mut self, frame: &Frame) -> io::Result<()> {
        self.get_mut().paint(frame)
    }

    fn echo(&mut self, input: &Input) -> io::Result<()> {
        self.get_mut().echo(input)
    }

    fn show(
        &mut self,
        text: &str,
        prompt: &Prompt,
        completions: &dyn Fn() -> Vec<String>,
    ) -> io::Result<()> {
        self.get_mut().show(text, prompt, completions)
    }

    fn close(&mut self, text: &str) {
        self.get_mut().close(text);
    }
}
