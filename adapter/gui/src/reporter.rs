//! The report of a running match, updated at intervals for all pages that follow it, and that of a match in a ledger;
//! the events of the match, and its finished games.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use record::event::Event;
use record::game::GameRecord;
use record::ledger::{GameFinder, LedgerError, LedgerReader};
use record::plan::Plan;
use record::stats::Summary;
use referee::broadcast::Broadcast;
use report::MatchReport;
use serde_json::{Value, json};

/// Minimum time between two reports.
const PAUSE: Duration = Duration::from_secs(2);

/// Provides the latest report to pages. Its thread ends with the match.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reporter {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    newest: Option<Arc<str>>,
    readers: Vec<Sender<()>>,
    is_closed: bool,
}

impl Reporter {
    /// Starts following a match.
    pub(crate) fn start(source: &MatchSource) -> io::Result<Reporter> {
        let reporter = Reporter::default();
        let mut counter = Counter {
            following: Following::new(source),
            source: source.clone(),
            reporter: reporter.clone(),
            play: None,
        };
        let thread = thread::Builder::new().name("report".to_owned());
        thread.spawn(move || counter.run())?;
        Ok(reporter)
    }

    /// Subscribes to the reports: a notification for each new one, for the latest at once.
    pub(crate) fn follow(&self) -> Receiver<()> {
        let (sender, news) = bounded(1);
        let mut shared = self.shared.lock();
        if shared.newest.is_some() {
            // The channel is empty and open, so this succeeds.
            let _ = sender.try_send(());
        }
        if !shared.is_closed {
            shared.readers.push(sender);
        }
        news
    }

    /// The latest report, an HTML element.
    pub(crate) fn newest(&self) -> Option<Arc<str>> {
        self.shared.lock().newest.clone()
    }

    /// Replaces the latest report and notifies all pages. A page that is behind skips to it.
    fn publish(&self, html: String) {
        let mut shared = self.shared.lock();
        shared.newest = Some(html.into());
        shared
            .readers
            .retain(|reader| !matches!(reader.try_send(()), Err(error) if error.is_disconnected()));
    }

    /// Ends the notifications. Pages that come later still get the last report.
    fn close(&self) {
        let mut shared = self.shared.lock();
        shared.is_closed = true;
        shared.readers.clear();
    }
}

/// Counts the games of a match.
struct Counter {
    following: Following,
    source: MatchSource,
    reporter: Reporter,
    play: Option<Play>,
}

/// A match and the games counted so far.
struct Play {
    plan: Box<Plan>,
    summary: Summary,
    /// Numbers of the counted games. A game may be in the ledger before its end is reported.
    counted: HashSet<usize>,
}

impl Counter {
    fn run(&mut self) {
        let events = self.following.events.clone();
        while let Ok(event) = events.recv() {
            let mut is_due = self.hear(&event);
            while is_due {
                self.publish();
                is_due = false;
                let end = Instant::now() + PAUSE;
                while let Ok(event) = events.recv_deadline(end) {
                    is_due |= self.hear(&event);
                }
            }
        }
        self.reporter.close();
    }

    /// Handles an event. Returns `true` if it changes the report.
    fn hear(&mut self, event: &Event) -> bool {
        match event {
            Event::MatchStarted { plan, .. } | Event::MatchSnapshot { plan, .. } => {
                let is_new = self.play.is_none();
                let play = self.play.get_or_insert_with(|| Play::new(plan.clone()));
                // If the ledger cannot be read, the report covers the games from now on.
                let games = LedgerReader::open(&self.source.ledger).into_iter();
                let games = games.flatten().map_while(Result::ok);
                games.fold(is_new, |is_new, game| play.count(&game) || is_new)
            }
            Event::GameOver { record } => {
                let play = self.play.as_mut();
                play.is_some_and(|play| play.count(record))
            }
            _ => {
                let ends = self.following.lost_ends(event).into_iter();
                // All of them are counted.
                ends.filter(|end| self.hear(end)).count() > 0
            }
        }
    }

    fn publish(&self) {
        if let Some(Play { plan, summary, .. }) = &self.play {
            let report = MatchReport::new(vec![plan], summary);
            self.reporter.publish(report.fragment());
        }
    }
}

impl Play {
    fn new(plan: Box<Plan>) -> Play {
        let summary = Summary::of(&plan);
        Play {
            plan,
            summary,
            counted: HashSet::new(),
        }
    }

    /// Counts a game. Returns `true` if it is new.
    fn count(&mut self, game: &GameRecord) -> bool {
        let is_new = self.counted.insert(game.game);
        if is_new {
            self.summary.count(game);
        }
        is_new
    }
}

/// Reads the plan of a match and the report of the games that were played.
///
/// # Errors
/// The ledger cannot be read; the text names it.
pub(crate) fn finished(path: &Path) -> Result<Value, String> {
    let named = |error: LedgerError| format!("{}: {error}", path.display());
    let reader = LedgerReader::open(path).map_err(named)?;
    let mut play = Play::new(Box::new(reader.plan.clone()));
    for game in reader {
        play.count(&game.map_err(named)?);
    }
    Ok(json!({
        "plan": play.plan,
        "games": play.counted.len(),
        "html": MatchReport::new(vec![&play.plan], &play.summary).fragment(),
    }))
}

/// The match that a server shows.
#[derive(Debug, Clone)]
pub struct MatchSource {
    /// Events of the match.
    pub events: Broadcast,
    /// Path of its ledger.
    pub ledger: PathBuf,
}

/// Reads a finished game from the ledger of a match.
///
/// # Errors
/// The ledger cannot be read, or the game is not finished.
pub(crate) fn replay(ledger: &Path, number: usize) -> Result<GameRecord, String> {
    let found = GameFinder::new(ledger).find(&[number]);
    let found = found.map_err(|error| format!("{}: {error}", ledger.display()))?;
    let game = found.into_iter().next();
    game.ok_or_else(|| format!("Game {number} is not over. Choose a finished one."))
}

/// A page's subscription to a match.
pub(crate) struct Following {
    /// The first event is a snapshot if the match is running.
    pub(crate) events: Receiver<Arc<Event>>,
    lost: GameFinder,
}

impl Following {
    pub(crate) fn new(source: &MatchSource) -> Following {
        Following {
            events: source.events.watch(),
            lost: GameFinder::new(&source.ledger),
        }
    }

    /// Reads the ends of games that were reported as lost from the ledger.
    pub(crate) fn lost_ends(&mut self, event: &Event) -> Vec<Event> {
        let Event::Lagged { games, .. } = event else {
            return Vec::new();
        };
        // If the ledger cannot be read, the standing still shows the progress.
        let found = self.lost.find(games).unwrap_or_default();
        let ends = found.into_iter().map(Box::new);
        ends.map(|record| Event::GameOver { record }).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use record::ledger::parse_ledger;
    use referee::broadcast::Broadcast;

    use super::*;

    const LEDGER: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/old-match.jsonl"
    );

    /// A resumed match reports games that are already in its ledger. At its end, the report contains each game once,
    /// also for a page that comes late.
    #[test]
    fn the_last_report_has_every_game_once() {
        let ledger = parse_ledger(&std::fs::read(LEDGER).expect("a file")).expect("a ledger");
        let source = MatchSource {
            events: Broadcast::new(true),
            ledger: PathBuf::from(LEDGER),
        };
        let reporter = Reporter::start(&source).expect("a thread");
        let news = reporter.follow();
        let standing = Summary::of(&ledger.plan).standing(4);
        let plan = Box::new(ledger.plan.clone());
        source.events.tell(Event::MatchStarted { plan, standing });
        for record in &ledger.games {
            let record = Box::new(record.clone());
            source.events.tell(Event::GameOver { record });
        }
        source.events.close();
        let rows = |html: &str| html.matches("<tr data-game=").count();
        while news.recv().is_ok() {
            let html = reporter.newest().expect("there is news of it");
            if rows(&html) == ledger.games.len() {
                while news.recv().is_ok() {}
                let late = reporter.follow();
                assert_eq!(late.recv(), Ok(()));
                assert!(late.recv().is_err(), "there are no further reports");
                return assert_eq!(reporter.newest(), Some(html));
            }
            assert!(rows(&html) < ledger.games.len());
        }
        panic!("no report of the whole match");
    }
}
