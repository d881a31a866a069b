//! The report of a running match for a page that follows it, and that of a match in a ledger; the events of the match, and
//! its finished games.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
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

/// A page's subscription to a match.
pub(crate) struct Following {
    /// The first event is a snapshot if the match is running.
    pub(crate) events: Receiver<Arc<Event>>,
    ledger: PathBuf,
    lost: GameFinder,
    play: Option<Play>,
    /// Set when the games counted have changed since the last report.
    is_due: bool,
    /// Time of the next report.
    next: Instant,
}

impl Following {
    pub(crate) fn new(source: &MatchSource) -> Following {
        Following {
            events: source.events.watch(),
            ledger: source.ledger.clone(),
            lost: GameFinder::new(&source.ledger),
            play: None,
            is_due: false,
            next: Instant::now(),
        }
    }

    /// Counts the games of an event. Returns the ends of games that it reports as lost, read from the ledger.
    pub(crate) fn hear(&mut self, event: &Event) -> Vec<Event> {
        match event {
            Event::MatchStarted { plan, .. } | Event::MatchSnapshot { plan, .. } => {
                self.is_due |= self.play.is_none();
                let play = self.play.get_or_insert_with(|| Play::new(plan.clone()));
                // If the ledger cannot be read, the report covers the games from now on.
                let games = LedgerReader::open(&self.ledger).into_iter();
                for game in games.flatten().map_while(Result::ok) {
                    self.is_due |= play.count(&game);
                }
                Vec::new()
            }
            Event::GameOver { record } => {
                let play = self.play.as_mut();
                self.is_due |= play.is_some_and(|play| play.count(record));
                Vec::new()
            }
            Event::Lagged { games, .. } => {
                // If the ledger cannot be read, the standing still shows the progress.
                let found = self.lost.find(games).unwrap_or_default().into_iter();
                let ends = found.map(|record| Event::GameOver {
                    record: Box::new(record),
                });
                ends.inspect(|end| drop(self.hear(end))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The time of the next report; `None` if there is nothing new.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.is_due.then_some(self.next)
    }

    /// The report of the games so far, an HTML element; `None` if there is nothing new.
    pub(crate) fn report(&mut self) -> Option<String> {
        let play = self.play.as_ref().filter(|_| self.is_due)?;
        self.is_due = false;
        self.next = Instant::now() + PAUSE;
        Some(play.report())
    }
}

/// A match and the games counted so far.
struct Play {
    plan: Box<Plan>,
    summary: Summary,
    /// Numbers of the counted games. A game may be in the ledger before its end is reported.
    counted: HashSet<usize>,
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

    fn report(&self) -> String {
        MatchReport::new([Some(&*self.plan)], &self.summary).fragment()
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
    let mut play = Play::new(Box::new(reader.ledger.plan.clone()));
    for game in reader {
        play.count(&game.map_err(named)?);
    }
    Ok(json!({
        "plan": play.plan,
        "games": play.counted.len(),
        "html": play.report(),
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

#[cfg(test)]
mod tests {
    use record::ledger::parse_ledger;

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
        let early = Following::new(&source);
        let standing = Summary::of(&ledger.plan).standing(4);
        let plan = Box::new(ledger.plan.clone());
        source.events.tell(Event::MatchStarted { plan, standing });
        for record in &ledger.games {
            let record = Box::new(record.clone());
            source.events.tell(Event::GameOver { record });
        }
        source.events.close();
        for mut following in [early, Following::new(&source)] {
            let events: Vec<_> = following.events.iter().collect();
            assert!(!events.is_empty());
            for event in events {
                following.hear(&event);
            }
            assert!(following.due().is_some());
            let html = following.report().expect("the match has begun");
            assert_eq!(html.matches("<tr data-game=").count(), ledger.games.len());
            assert_eq!(following.due(), None);
        }
    }
}
