//! Where lines come from: a terminal with its editor, a pipe, a socket; and the signals.
//!
//! Each has a thread that stamps what comes and passes it on; the console hears them all on one channel. A terminal and
//! a pipe are read a line a prompt; a socket whenever something comes.

use std::io::{self, Read, Write};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, unbounded};
use protocol::{Line, LineReader};
use referee::stop::MoveNow;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use rustyline::ExternalPrinter;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::editor::{self, Words};

/// Ends the bracketing of pasted text, which the editor asks terminals for.
const PASTE_UNMARKED: &str = "\x1b[?2004l";

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Whoever started the program.
    Local,
    /// Whoever came to `--listen`.
    Remote,
}

/// Something to hear of.
#[derive(Debug)]
pub(crate) enum News {
    /// A line was typed.
    Line(Who, Instant, Line),
    /// Nothing more will come from there.
    End(Who),
    /// The other person has come.
    Joined,
    /// Ctrl-C.
    Interrupt,
    /// The program is told to end.
    Terminate,
}

/// What the local person is read by.
pub(crate) enum Local {
    /// A terminal with line editing.
    Editor {
        ask: Sender<String>,
        /// What is to be shown above the line that is being typed.
        says: Sender<String>,
        words: Words,
        is_asked: bool,
        /// The terminal as it was found.
        mode: Option<Termios>,
    },
    /// Lines as they come. `echoes` says that nobody sees what is typed but in the output.
    Lines {
        ask: Sender<()>,
        echoes: bool,
        prompt: Prompt,
    },
}

/// How a prompt stands that is answered by a line as it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// No line is asked for.
    None,
    /// A line is asked for, behind the prompt.
    Shown,
    /// A line is asked for, but something else was written since.
    Hidden,
}

impl Prompt {
    fn is_shown(self) -> bool {
        self == Prompt::Shown
    }
}

impl Local {
    /// A terminal with line editing; `None` where it has none.
    pub(crate) fn editor(news: &Sender<News>) -> Option<Local> {
        let words = Words::default();
        let mode = tcgetattr(io::stdin()).ok();
        let (ask, asked) = unbounded();
        let (sender, receiver) = unbounded();
        let (shared, news) = (Arc::clone(&words), news.clone());
        thread::spawn(move || match editor::open(shared) {
            Ok((editor, printer)) => {
                let _ = sender.send(printer);
                editor::edit(editor, &asked, &news);
            }
            Err(_) => drop(sender),
        });
        let printer = receiver.recv().ok()?;
        Some(Local::Editor {
            ask,
            says: printing(printer),
            words,
            is_asked: false,
            mode,
        })
    }

    /// Standard input as it is.
    pub(crate) fn lines(news: &Sender<News>, echoes: bool) -> Local {
        let (ask, asked) = unbounded();
        let news = news.clone();
        thread::spawn(move || {
            let mut lines = LineReader::new(io::stdin());
            while asked.recv().is_ok() && pass_on(&mut lines, Who::Local, &news) {}
        });
        Local::Lines {
            ask,
            echoes,
            prompt: Prompt::None,
        }
    }

    /// Asks for one line, unless one is asked for already.
    pub(crate) fn ask(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
    ) -> io::Result<()> {
        match self {
            Local::Editor {
                ask,
                words: shared,
                is_asked,
                ..
            } if !*is_asked => {
                *is_asked = true;
                *shared.lock().unwrap_or_else(PoisonError::into_inner) = words();
                let _ = ask.send(prompt.to_owned());
            }
            Local::Lines {
                ask, prompt: state, ..
            } if !state.is_shown() => {
                if std::mem::replace(state, Prompt::Shown) == Prompt::None {
                    let _ = ask.send(());
                }
                let mut out = io::stdout().lock();
                out.write_all(prompt.as_bytes())?;
                out.flush()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes notice that a line came, and shows it where nobody has seen it.
    pub(crate) fn heard(&mut self, line: &Line) -> io::Result<()> {
        match self {
            Local::Editor { is_asked, .. } => *is_asked = false,
            Local::Lines { prompt, echoes, .. } => {
                *prompt = Prompt::None;
                if let (true, Line::Text(text)) = (*echoes, line) {
                    let text = protocol::text::excerpt(text);
                    writeln!(io::stdout().lock(), "{text}")?;
                }
            }
        }
        Ok(())
    }

    /// The prompt was left without a line.
    pub(crate) fn left(&mut self) -> io::Result<()> {
        match self {
            Local::Editor { is_asked, .. } => *is_asked = false,
            Local::Lines { prompt, .. } if prompt.is_shown() => {
                *prompt = Prompt::Hidden;
                writeln!(io::stdout().lock())?;
            }
            Local::Lines { .. } => {}
        }
        Ok(())
    }

    /// No line is wanted any more: the terminal is as it was found, and what is said stands below the prompt.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        let Local::Editor { is_asked, mode, .. } = self else {
            return self.left();
        };
        if std::mem::take(is_asked) {
            if let Some(mode) = mode {
                // A terminal that is gone cannot be put right.
                let _ = tcsetattr(io::stdin(), OptionalActions::Drain, mode);
            }
            write!(io::stdout().lock(), "{PASTE_UNMARKED}\r\n")?;
        }
        Ok(())
    }

    /// Shows lines, above the one that is being typed if there is one.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        match self {
            Local::Editor {
                says,
                is_asked: true,
                ..
            } => {
                let _ = says.send(format!("{text}\n"));
                return Ok(());
            }
            _ => self.left_for_now()?,
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// A prompt without a line is written again below what is said now.
    fn left_for_now(&mut self) -> io::Result<()> {
        match self {
            Local::Lines { .. } => self.left(),
            Local::Editor { .. } => Ok(()),
        }
    }
}

/// Shows what is sent above the line that is being typed. The editor takes no second text before it has shown the first,
/// which may be when the next line is asked for; so nobody waits for it but this thread.
fn printing(mut printer: Box<dyn ExternalPrinter + Send>) -> Sender<String> {
    let (says, said) = unbounded();
    thread::spawn(move || {
        for text in said {
            if printer.print(text).is_err() {
                return;
            }
        }
    });
    says
}

/// Passes one line on; whether there may be another.
pub(crate) fn pass_on<R: Read>(lines: &mut LineReader<R>, who: Who, news: &Sender<News>) -> bool {
    let heard = match lines.read() {
        Ok(Some(line)) => News::Line(who, Instant::now(), line.to_line()),
        Ok(None) | Err(_) => News::End(who),
    };
    let is_line = matches!(heard, News::Line(..));
    news.send(heard).is_ok() && is_line
}

/// Hears signals: Ctrl-C also has a thinking engine move.
pub(crate) fn heed_signals(nudge: MoveNow, news: Sender<News>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            nudge.now();
            let heard = if signal == SIGINT {
                News::Interrupt
            } else {
                News::Terminate
            };
            if news.send(heard).is_err() {
                return;
            }
        }
    });
    Ok(())
}
