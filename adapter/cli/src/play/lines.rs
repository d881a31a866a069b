//! Plain lines: a pipe with a script, or a terminal without line editing.

use std::io::{self, Write};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use protocol::LineReader;
use protocol::text::excerpt;

use super::line::InputLine;
use super::screen::{Input, InputMode, Prompt, Screen, Size};
use super::style::BoardStyle;
use crate::platform;

/// Standard input and output without editing.
pub(crate) struct Lines {
    input: Receiver<Input>,
    /// Requests a line.
    ask: Sender<()>,
    /// `true` until a requested line arrives.
    is_asked: bool,
    /// The prompt on the line of the cursor.
    shown: Option<String>,
    /// `true` if the input is a terminal. Otherwise the lines are a script, and are echoed when they are read.
    is_terminal: bool,
    style: BoardStyle,
}

impl Lines {
    /// Starts the thread that reads lines.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn open(
        sender: Sender<Input>,
        input: Receiver<Input>,
        is_terminal: bool,
        style: BoardStyle,
    ) -> io::Result<Lines> {
        let (ask, asked) = bounded(1);
        thread::Builder::new().spawn(move || {
            let mut lines = LineReader::new(io::stdin());
            while asked.recv().is_ok() {
                let heard = match lines.read() {
                    Ok(Some(line)) => Input::Line(Instant::now(), line.to_line()),
                    Ok(None) | Err(_) => Input::End,
                };
                if sender.send(heard).is_err() {
                    return;
                }
            }
        })?;
        Ok(Lines {
            input,
            ask,
            is_asked: false,
            shown: None,
            is_terminal,
            style,
        })
    }

    fn ask(&mut self) {
        if !std::mem::replace(&mut self.is_asked, true) {
            // The thread is waiting for this request.
            let _ = self.ask.send(());
        }
    }

    /// Ends the line of a prompt after which nothing was typed.
    fn leave_prompt(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.shown.take() {
            Some(_) => writeln!(out),
            None => Ok(()),
        }
    }
}

impl Screen for Lines {
    fn input_mode(&self) -> InputMode {
        InputMode {
            is_live: self.is_terminal,
            asks_twice: self.is_terminal,
        }
    }

    fn size(&self) -> Option<Size> {
        platform::terminal_size()
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn echo(&mut self, input: &Input) -> io::Result<()> {
        match input {
            Input::Line(_, line) => {
                self.is_asked = false;
                self.shown = None;
                match line {
                    protocol::Line::Text(text) if !self.is_terminal => {
                        writeln!(io::stdout().lock(), "{}", self.style.fit(&excerpt(text)))
                    }
                    _ => Ok(()),
                }
            }
            Input::Interrupt => self.leave_prompt(&mut io::stdout().lock()),
            _ => Ok(()),
        }
    }

    fn show(&mut self, text: &str, prompt: &Prompt, _: &InputLine) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if !text.is_empty() {
            self.leave_prompt(&mut out)?;
            out.write_all(text.as_bytes())?;
        }
        if let Prompt::Ask(prompt) = prompt
            && self.shown.as_ref() != Some(prompt)
        {
            self.leave_prompt(&mut out)?;
            out.write_all(prompt.as_bytes())?;
            self.shown = Some(prompt.clone());
        }
        out.flush()?;
        if self.is_terminal || matches!(prompt, Prompt::Ask(_)) {
            self.ask();
        }
        Ok(())
    }

    fn close(&mut self, text: &str) {
        let mut out = io::stdout().lock();
        let left = self.leave_prompt(&mut out);
        let _ = left.and_then(|()| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }
}
