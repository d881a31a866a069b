//! What a match shows as it goes: lines for people, or events for programs.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use referee::event::{Event, Subscriber, naming};

use crate::render;

/// Writes a line a finished game, and notes, to standard output; on a terminal there is a progress line below them.
pub(crate) struct Live {
    progress: Option<ProgressBar>,
}

impl Live {
    pub(crate) fn new() -> Live {
        Live {
            progress: io::stdout().is_terminal().then(progress_bar),
        }
    }

    fn line(&self, line: &str) -> io::Result<()> {
        let write = || {
            let mut out = io::stdout().lock();
            writeln!(out, "{line}")?;
            out.flush()
        };
        // Before the first standing there is no progress to show.
        let progress = self.progress.as_ref();
        let written = match progress.filter(|bar| bar.length() != Some(0)) {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
        written.map_err(unheard)
    }
}

fn unheard(error: io::Error) -> io::Error {
    naming("standard output", &error)
}

fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{pos}/{len} games [{elapsed_precise}, {eta_precise} left] {wide_msg}",
    );
    let bar = ProgressBar::new(0);
    bar.set_style(style.expect("the template is sound"));
    bar
}

impl Subscriber for Live {
    fn notice(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::MatchStarted { plan } => self.line(render::header(plan).trim_end()),
            Event::GameOver { record } => self.line(&render::finished(record)),
            Event::Note { engine, text } => self.line(&format!("Note: {engine} {text}")),
            Event::Standing { standing } => {
                if let Some(bar) = &self.progress {
                    bar.update(|state| {
                        state.set_len(standing.total as u64);
                        state.set_pos(standing.games as u64);
                    });
                    bar.set_message(render::progress(standing));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(bar) = &self.progress {
            bar.finish_and_clear();
        }
    }
}

/// Writes every event to standard output, one JSON object a line.
pub(crate) struct Json;

impl Subscriber for Json {
    fn notice(&mut self, event: &Event) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let written = serde_json::to_writer(&mut out, event)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out))
            .and_then(|()| out.flush());
        written.map_err(unheard)
    }

    fn wants_moves(&self) -> bool {
        true
    }
}
