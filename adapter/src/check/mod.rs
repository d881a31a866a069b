//! Is this engine sound? Everything that the protocol asks of an engine, step by step, and its rules against ours.
//!
//! [`run`] takes a [`Subject`] through [`STEPS`] and tells a [`Report`] of each. A step gets a fresh process that was
//! greeted and given its options, so whatever one step does to it, the next goes on; and the lines that a step sent
//! show again what it found. What is known of the engine beforehand is a `Case`, what is said to it a `Dialogue`.
//! Nothing here prints.

mod case;
mod dialogue;
mod report;
mod search;

mod ends;
mod endurance;
mod handshake;
mod interrupt;
mod limits;
mod position;
mod ready;
mod robustness;
mod rules;
mod thought;

mod games;
mod shrink;

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use protocol::{Dialect, Query};

pub use report::{Report, Verdict};

use crate::plan::{EngineSpec, GameSpec};
use crate::player::Patience;
use crate::process::Launch;
use case::{Case, Unmet};
use dialogue::Dialogue;
use report::{Finding, Outcome, skip};
use rules::{Question, compare};

/// How long a process may take to quit before it is killed.
const GRACE: Duration = Duration::from_millis(300);

/// What is checked, and how.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The process.
    pub launch: Launch,
    /// The words that describe it: its options and the time that is forgiven.
    pub spec: EngineSpec,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// The game; where absent, the engine is asked.
    pub game: Option<GameSpec>,
    /// What random choices are drawn with.
    pub seed: u64,
    /// Games whose positions are held against the rules.
    pub games: usize,
    /// How long answers may take.
    pub patience: Patience,
    /// The names of the steps to take; all where empty.
    pub only: Vec<String>,
}

/// What becomes known in a run.
#[derive(Debug)]
pub enum News<'a> {
    /// The engine shook hands.
    Met {
        /// The name that it gave itself.
        name: &'a str,
        /// The name of the game, or why it is not known.
        game: Result<&'static str, &'a str>,
    },
    /// A step was taken.
    Step(Report),
}

/// Why a run did not come to its end.
#[derive(Debug)]
pub enum CheckError {
    /// The engine does not take an option that it was to be given.
    Option(String),
    /// Whoever is told failed.
    Subscriber(io::Error),
    /// The run was told to stop.
    Stopped,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Option(why) => f.write_str(why),
            CheckError::Subscriber(error) => error.fmt(f),
            CheckError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for CheckError {}

/// One thing that is tested.
#[derive(Debug)]
pub struct Step {
    /// What it is called.
    pub name: &'static str,
    /// The clause of `spec/protocol.md` that it tests.
    pub clause: &'static str,
    run: fn(&Case<'_>, &mut Dialogue) -> Outcome,
}

const fn step(
    name: &'static str,
    clause: &'static str,
    run: fn(&Case<'_>, &mut Dialogue) -> Outcome,
) -> Step {
    Step { name, clause, run }
}

/// All steps, in their order.
pub static STEPS: &[Step] = &[
    step("handshake", "3.4", handshake::handshake),
    step("second-handshake", "3.4", handshake::again),
    step("option-lines", "6.1", handshake::option_lines),
    step("option-values", "3.7", handshake::option_values),
    step("bad-options", "3.7", handshake::bad_options),
    step("unknown-words", "8.1", handshake::unknown_words),
    step("isready", "3.6", ready::at_rest),
    step("isready-in-search", "7.1", ready::in_a_search),
    step("uginewgame", "3.10", ready::new_game),
    step("stop-at-rest", "3.12", ready::stop_at_rest),
    step("position-forms", "3.8", position::forms),
    step("bad-position", "3.8", position::bad),
    step("queries", "3.14", position::queries),
    step("listed-moves", "3.14", position::listed_moves),
    step("position-string", "3.9", position::position_string),
    step("query-game", "3.14", position::game),
    step("perft", "4.9", position::perft),
    step("display", "3.15", position::display),
    step("depth", "4.2", limits::depth),
    step("nodes", "4.2", limits::nodes),
    step("movetime", "4.3", limits::move_time),
    step("clock", "4.3", limits::clock),
    step("clock-of-player-2", "4.2", limits::clock_of_player_2),
    step("tight-limits", "4.1", limits::tight),
    step("combined-limits", "4.1", limits::combined),
    step("one-answer", "1.2", limits::one_answer),
    step("searchmoves", "4.2", limits::search_moves),
    step("bad-go", "4.2", limits::bad_go),
    step("finished-game", "4.5", limits::finished),
    step("mate", "4.6", limits::mate),
    step("stop", "7.1", interrupt::stop),
    step("infinite", "4.4", interrupt::infinite),
    step("commands-in-search", "7.2", interrupt::spoken_into),
    step("ponder", "4.8", interrupt::ponder),
    step("two-words", "5.6", thought::two_words),
    step("final-info", "5.7", thought::final_info),
    step("variations", "5.7", thought::variations),
    step("multipv", "6.4", thought::multi_pv),
    step("mate-distances", "5.8", thought::mate_distances),
    step("cr-lf", "2.1", robustness::cr_lf),
    step("long-lines", "2.2", robustness::long_lines),
    step("garbage", "7.6", robustness::garbage),
    step("quit", "3.16", ends::quit),
    step("quit-in-search", "3.16", ends::quit_in_a_search),
    step("end-of-input", "7.4", ends::end_of_input),
    step("end-in-search", "7.4", ends::end_in_a_search),
    step("200-games", "3.10", endurance::games),
    step("rules-p1turn", "3.14", |case, dialogue| {
        compare(case, dialogue, Question::Query(Query::P1Turn))
    }),
    step("rules-gameover", "3.14", |case, dialogue| {
        compare(case, dialogue, Question::Query(Query::GameOver))
    }),
    step("rules-result", "3.14", |case, dialogue| {
        compare(case, dialogue, Question::Query(Query::Result))
    }),
    step("rules-moves", "3.14", |case, dialogue| {
        compare(case, dialogue, Question::Query(Query::Moves))
    }),
    step("rules-fen", "3.14", |case, dialogue| {
        compare(case, dialogue, Question::Query(Query::Fen))
    }),
    step("rules-perft", "4.9", |case, dialogue| {
        compare(case, dialogue, Question::Perft)
    }),
    // The last, for it judges what was said in all others.
    step("standard-output", "1.1", robustness::standard_output),
];

/// Takes an engine through all steps that were asked for, and tells of each as it is done.
///
/// # Errors
/// An option that the engine does not take; an error of whoever is told; a wish to stop.
pub fn run(
    subject: &Subject,
    tell: &mut dyn FnMut(News<'_>) -> io::Result<()>,
) -> Result<(), CheckError> {
    let begun = Instant::now();
    let is_wanted =
        |step: &&Step| subject.only.is_empty() || subject.only.iter().any(|name| name == step.name);
    let wanted = STEPS.iter().filter(is_wanted);
    let mut case = match Case::meet(subject) {
        Ok(case) => case,
        Err(Unmet::Option(why)) => return Err(CheckError::Option(why)),
        Err(Unmet::Finding(finding, lines, heard)) => {
            let mut first = report(&STEPS[0], Err(finding), begun);
            (first.lines, first.heard) = (lines, heard);
            tell(News::Step(first)).map_err(CheckError::Subscriber)?;
            for step in wanted.filter(|step| step.name != STEPS[0].name) {
                let skipped = Err(skip("the engine does not shake hands"));
                let skipped = report(step, skipped, Instant::now());
                tell(News::Step(skipped)).map_err(CheckError::Subscriber)?;
            }
            return Ok(());
        }
    };
    let name = case.greeting.names.first().map_or("", String::as_str);
    let game = case.game();
    tell(News::Met { name, game }).map_err(CheckError::Subscriber)?;
    for step in wanted {
        let report = take(step, &mut case);
        if subject.launch.stop.is_asked() {
            return Err(CheckError::Stopped);
        }
        tell(News::Step(report)).map_err(CheckError::Subscriber)?;
    }
    Ok(())
}

/// Takes one step with a process of its own.
fn take(step: &Step, case: &mut Case<'_>) -> Report {
    let begun = Instant::now();
    let subject = case.subject;
    let mut dialogue = match Dialogue::start(&subject.launch, subject.dialect, subject.patience) {
        Ok(dialogue) => dialogue,
        Err(finding) => return report(step, Err(finding), begun),
    };
    let greeted = dialogue.greet(&case.options);
    let outcome = greeted.and_then(|()| (step.run)(case, &mut dialogue));
    let mut report = report(step, outcome, begun);
    if matches!(report.verdict, Verdict::Fail | Verdict::Warn) {
        if report.lines.is_empty() {
            report.lines = dialogue.sent();
        }
        report.heard = dialogue.heard();
    }
    case.junk.extend(dialogue.take_junk());
    dialogue.end(GRACE);
    report
}

fn report(step: &Step, outcome: Outcome, begun: Instant) -> Report {
    let (verdict, text, lines) = match outcome {
        Ok(text) => (Verdict::Pass, text, None),
        Err(Finding {
            verdict,
            text,
            lines,
        }) => (verdict, text, lines),
    };
    Report {
        step: step.name,
        clause: step.clause,
        verdict,
        text,
        lines: lines.unwrap_or_default(),
        heard: Vec::new(),
        ms: begun.elapsed().as_millis() as u64,
    }
}
