//! Plain lines: a pipe with a script, a terminal without line editing, or the connection of a guest. And `play --json`: the
//! requests and events of a table as lines of JSON, on standard input and standard output.

use std::io::{self, ErrorKind, Read, Stdout, Write};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use protocol::text::excerpt;
use protocol::{Line, LineReader};
use table::{Refusal, RequestId, TableClient, TableCommand, TableEvent, TableSession};

use super::line::InputLine;
use super::screen::{Input, InputMode, Prompt, Screen, Size};
use super::style::BoardStyle;
use crate::output::{json_line, write};
use crate::platform::terminal::terminal_size;
use crate::usage::{Done, Failure, OrFail};

/// Sends the lines of an input, each after a request if there are requests, and then its end.
pub(crate) fn send_lines(
    mut lines: LineReader<impl Read>,
    sender: &Sender<Input>,
    asked: Option<&Receiver<()>>,
) {
    while asked.is_none_or(|asked| asked.recv().is_ok()) {
        let heard = match lines.read() {
            Ok(Some(line)) => match line.to_line() {
                Line::Text(text) => Input::Line(Instant::now(), text),
                Line::TooLong(limit) => Input::Refused(format!(
                    "The line is longer than {limit} bytes and is ignored: write a shorter one."
                )),
            },
            Err(error) if error.kind() == ErrorKind::QuotaExceeded => Input::Flood,
            Ok(None) | Err(_) => Input::End,
        };
        let is_last = matches!(heard, Input::End | Input::Flood);
        if sender.send(heard).is_err() || is_last {
            return;
        }
    }
}

/// A screen of lines without editing.
pub(crate) struct Lines<W> {
    mode: InputMode,
    input: Receiver<Input>,
    pub(crate) output: W,
    /// Requests a line of standard input; the lines of a guest arrive without a request.
    ask: Option<Sender<()>>,
    /// `true` until a requested line arrives.
    is_asked: bool,
    /// A prompt is on the line of the cursor.
    is_prompted: bool,
    style: BoardStyle,
}

impl Lines<Stdout> {
    /// Starts the thread that reads the lines of standard input.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn open(
        mode: InputMode,
        sender: Sender<Input>,
        input: Receiver<Input>,
        style: BoardStyle,
    ) -> io::Result<Lines<Stdout>> {
        let (ask, asked) = bounded(1);
        let lines = LineReader::new(io::stdin());
        thread::Builder::new().spawn(move || send_lines(lines, &sender, Some(&asked)))?;
        let mut screen = Lines::new(mode, input, io::stdout(), style);
        screen.ask = Some(ask);
        Ok(screen)
    }
}

impl<W: Write> Lines<W> {
    pub(crate) fn new(
        mode: InputMode,
        input: Receiver<Input>,
        output: W,
        style: BoardStyle,
    ) -> Lines<W> {
        Lines {
            mode,
            input,
            output,
            ask: None,
            is_asked: false,
            is_prompted: false,
            style,
        }
    }

    /// The end of the line of a prompt after which nothing was typed.
    fn leave_prompt(&mut self) -> &'static str {
        match std::mem::take(&mut self.is_prompted) {
            true => "\n",
            false => "",
        }
    }

    /// Writes a text at once: a guest gets it as a whole or is disconnected.
    fn write(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

impl<W: Write> Screen for Lines<W> {
    fn input_mode(&self) -> InputMode {
        self.mode
    }

    fn size(&self) -> Option<Size> {
        let is_here = self.mode != InputMode::Guest;
        terminal_size().filter(|_| is_here)
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn echo(&mut self, input: &Input) -> io::Result<()> {
        if let Input::Interrupt = input {
            let end = self.leave_prompt();
            return self.write(end);
        }
        if let Input::Line(..) | Input::Refused(_) = input {
            (self.is_asked, self.is_prompted) = (false, false);
        }
        match input {
            Input::Line(_, text) if !self.mode.is_live() => {
                let shown = self.style.fit(&excerpt(text)) + "\n";
                self.write(&shown)
            }
            _ => Ok(()),
        }
    }

    fn show(&mut self, text: &str, prompt: &Prompt, _: &InputLine) -> io::Result<()> {
        let mut out = String::new();
        if !text.is_empty() {
            out = self.leave_prompt().to_owned() + text;
        }
        // The one that is shown stays, although its clock runs.
        if let Prompt::Ask(prompt) = prompt
            && !self.is_prompted
        {
            out += prompt;
            self.is_prompted = true;
        }
        self.write(&out)?;
        let is_read = self.mode.is_live() || matches!(prompt, Prompt::Ask(_));
        if let Some(ask) = self.ask.as_ref().filter(|_| is_read)
            && !std::mem::replace(&mut self.is_asked, true)
        {
            // The thread is waiting for this request.
            let _ = ask.send(());
        }
        Ok(())
    }

    fn close(&mut self, text: &str) {
        let end = self.leave_prompt();
        let _ = self.write(&format!("{end}{text}"));
    }
}

/// Maximum number of lines that wait.
const MAX_WAITING: usize = 64;

/// Forwards requests and events until the table closes. The end of the input is `quit`, once all requests are answered.
/// Returns the number of refused lines.
///
/// # Errors
/// No thread can be started, or the output cannot be written.
pub(crate) fn run_json(session: TableSession) -> Done<usize> {
    let (sender, mut lines) = bounded(MAX_WAITING);
    let input = LineReader::new(io::stdin());
    let reader = thread::Builder::new().spawn(move || send_lines(input, &sender, None));
    reader.or_fail()?;
    let TableSession { client, game, .. } = session;
    let request = TableClient::JOIN;
    show_json(&TableEvent::Snapshot(Box::new(game.snapshot().clone())))?;
    show_json(&TableEvent::Done { request })?;
    let (mut n_refused, mut n_open, mut is_at_end) = (0, 0_u64, false);
    loop {
        if is_at_end && n_open == 0 {
            // A closed table has sent its last event.
            let _ = client.send(TableCommand::Quit);
            is_at_end = false;
        }
        select! {
            recv(lines) -> heard => {
                let read = match heard {
                    Ok(Input::Line(at, line)) => {
                        let read = serde_json::from_str(&line).map_err(|error| error.to_string());
                        read.map(|command: TableCommand| client.send_at(command, at))
                    }
                    Ok(Input::Refused(why)) => Err(why),
                    _ => {
                        (lines, is_at_end) = (never(), true);
                        continue;
                    }
                };
                match read {
                    Ok(sent) => n_open += u64::from(sent.is_ok()),
                    Err(what) => {
                        n_refused += 1;
                        let request = RequestId(0);
                        show_json(&TableEvent::Refused { request, why: Refusal::Malformed { what } })?;
                    }
                }
            },
            recv(client.events) -> event => {
                let Ok(event) = event else { return Ok(n_refused) };
                match event {
                    TableEvent::Refused { .. } => {
                        (n_refused, n_open) = (n_refused + 1, n_open.saturating_sub(1));
                    }
                    TableEvent::Done { .. } => n_open = n_open.saturating_sub(1),
                    // Answers may be among the lost events.
                    TableEvent::Lagged { .. } => n_open = 0,
                    _ => {}
                }
                show_json(&event)?;
            }
        }
    }
}

fn show_json(event: &TableEvent) -> Done {
    write(&json_line(event).or_fail()?).map_err(Failure::Output)
}
