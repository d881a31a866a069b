//! Output of a running match on standard output: lines for people, or events for programs.
//!
//! A separate thread writes, so that a slow reader does not delay the match. Finished games that did not fit in its
//! queue are read from the ledger.

use std::io::{self, ErrorKind, IsTerminal};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use record::event::Event;
use record::ledger::GameFinder;
use record::plan::Plan;
use record::registry::Registry;
use record::stats::{Standing, Summary};
use referee::stop::Stop;
use report::MatchReport;

use crate::args::OutputArgs;
use crate::output::{self, json_line, one_line, printable};
use crate::records::render;
use crate::usage::{Failure, OrFail, fail};

/// Interval at which a wait for the reader of standard output checks for a stop.
const LOOK: Duration = Duration::from_millis(50);

/// Time that the reader has after the match was stopped at once.
const READER_TIMEOUT: Duration = Duration::from_secs(1);

/// Stack size of the writing thread, in bytes.
const STACK: usize = 1 << 20;

/// Standard output during a match.
pub(crate) struct Screen {
    /// Sends the final numbers to the writing thread.
    ending: Sender<String>,
    /// Receives the result when everything is written.
    written: Receiver<io::Result<()>>,
}

impl Screen {
    /// Starts the thread that shows a watcher's events.
    pub(crate) fn open(
        watcher: Receiver<Arc<Event>>,
        plan: &Plan,
        registry: Registry,
        output: OutputArgs,
    ) -> Result<Screen, Failure> {
        let (ending, ended) = bounded(1);
        let (sender, written) = bounded(1);
        let mut printer = Printer::new(plan, registry, output);
        let thread = thread::Builder::new().stack_size(STACK);
        let shown = thread.spawn(move || {
            let result = printer.run(watcher, &ended);
            // The progress line must be removed before anything else is written.
            drop(printer);
            let _ = sender.send(result);
        });
        shown.or_trouble("no thread for standard output")?;
        Ok(Screen { ending, written })
    }

    /// Shows the final numbers and waits until everything is written or the match is stopped at once. A closed pipe is
    /// not an error.
    pub(crate) fn close(self, numbers: String, stop: &Stop) -> Result<(), Failure> {
        let _ = self.ending.send(numbers);
        loop {
            let patience = if stop.is_now() { READER_TIMEOUT } else { LOOK };
            match self.written.recv_timeout(patience) {
                Ok(Err(error)) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
                Ok(result) => return result.map_err(Failure::Output),
                Err(RecvTimeoutError::Disconnected) => {
                    return fail!("standard output: cannot be written");
                }
                Err(RecvTimeoutError::Timeout) if patience == READER_TIMEOUT => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Shows a match whose games are all played.
pub(crate) fn show_complete(
    plan: Plan,
    standing: Standing,
    summary: &Summary,
    registry: Registry,
    output: OutputArgs,
) -> Result<(), Failure> {
    let numbers = numbers(&plan, summary);
    let mut printer = Printer::new(&plan, registry, output);
    let plan = Box::new(plan);
    let started = printer.show(&Event::MatchStarted { plan, standing });
    let shown = started.and_then(|()| printer.show_numbers(&numbers));
    shown.map_err(Failure::Output)
}

/// The final numbers of a match as text.
pub(crate) fn numbers(plan: &Plan, summary: &Summary) -> String {
    let text = render::text(&MatchReport::new([Some(plan)], summary));
    format!("\n{}", printable(&text))
}

/// Writes events in the requested format.
struct Printer {
    output: OutputArgs,
    /// The game, and the options that determine its board.
    board: String,
    finder: GameFinder,
    progress: Option<ProgressBar>,
}

impl Printer {
    fn new(plan: &Plan, registry: Registry, output: OutputArgs) -> Printer {
        let rules = registry.rules(&plan.game).ok().flatten();
        let has_progress = !output.json && !output.quiet && io::stdout().is_terminal();
        Printer {
            output,
            board: rules.map_or_else(|| plan.game.name.clone(), |rules| rules.board()),
            finder: GameFinder::new(&plan.ledger),
            progress: has_progress.then(progress_bar),
        }
    }

    fn run(&mut self, watcher: Receiver<Arc<Event>>, ended: &Receiver<String>) -> io::Result<()> {
        for event in watcher {
            self.show(&event)?;
            if let Event::Lagged { games, .. } = &*event {
                for record in self.finder.find(games)? {
                    let record = Box::new(record);
                    self.show(&Event::GameOver { record })?;
                }
            }
        }
        match ended.recv() {
            Ok(numbers) => self.show_numbers(&numbers),
            // If the match failed, there is no end to show, and the command reports the error.
            Err(_) => Ok(()),
        }
    }

    fn show(&mut self, event: &Event) -> io::Result<()> {
        if self.output.json {
            return output::write(&json_line(event)?);
        }
        if self.output.quiet {
            return Ok(());
        }
        match event {
            Event::MatchStarted { plan, standing } => {
                self.line(&render::header(plan, &self.board))?;
                self.show_progress(standing);
            }
            Event::GameOver { record } => self.line(&render::finished(record))?,
            Event::Note { engine, text } => {
                self.line(&one_line(&format!("Note: {engine} {text}")))?;
            }
            Event::Standing { standing } | Event::MatchSnapshot { standing, .. } => {
                self.show_progress(standing);
                // After the last game, the report shows them.
                let interval = self.output.rating_interval;
                let is_due = interval > 0 && standing.games.is_multiple_of(interval);
                let is_new = matches!(event, Event::Standing { .. });
                if is_new && is_due && standing.games < standing.total {
                    self.line(&render::standing(standing))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn line(&self, line: &str) -> io::Result<()> {
        let write = || output::put(line, false);
        // There is no progress before the first standings.
        let progress = self.progress.as_ref();
        match progress.filter(|bar| bar.length() != Some(0)) {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn show_progress(&self, standing: &Standing) {
        if let Some(bar) = &self.progress {
            bar.set_length(standing.total as u64);
            bar.set_position(standing.games as u64);
            bar.set_message(render::progress(standing));
        }
    }

    fn show_numbers(&mut self, numbers: &str) -> io::Result<()> {
        if let Some(bar) = self.progress.take() {
            bar.finish_and_clear();
        }
        match self.output.json {
            true => Ok(()),
            false => output::write(numbers),
        }
    }
}

fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{pos}/{len} games [{elapsed_precise}, {eta_precise} left] {wide_msg}",
    );
    let bar = ProgressBar::new(0);
    bar.set_style(style.expect("the template is sound"));
    bar
}

impl Drop for Printer {
    fn drop(&mut self) {
        if let Some(bar) = &self.progress {
            bar.finish_and_clear();
        }
    }
}
