//! Rules from a program: a game whose moves and results are the answers of a UGI program.
//!
//! [`entry`] makes a [`GameEntry`] from a command, so that everything else uses the game like a compiled one. The
//! program is asked in `process`, its answers are checked and kept in `answers`, `history` is a game in progress, and `engine`
//! searches it. A failure of the program is final for the games in progress: each history reports it by
//! [`DynHistory::fault`]. A game that is opened later gets new processes.

mod answers;
mod engine;
mod history;
mod introduction;
mod process;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use draw::{About, about::NO_TEXTS};
use kit::game_entry::{GameSource, Opened, PositionLine};
use kit::{DynHistory, GameEntry, OptionDecl, Options, Rejection};
use parking_lot::Mutex;
use protocol::Query;
use record::engine_spec::Program;

use crate::engine::{RULES_FAILURE, Timeouts};
use crate::process::Launch;
pub use engine::WinProof;

use answers::{Exchange, Facts, PositionCache, PositionState};
use history::ProgramHistory;
use introduction::Introduction;
use process::{Due, RulesProcess};

/// The reason for not getting an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// The program rejects the position. Holds its reason.
    Rejected(String),
    /// The program has failed. Holds the failure, which names it.
    Fault(String),
}

impl From<Trouble> for Rejection {
    fn from(trouble: Trouble) -> Rejection {
        match trouble {
            Trouble::Rejected(why) | Trouble::Fault(why) => Rejection(why),
        }
    }
}

/// Option names and values.
type Settings = Vec<(String, String)>;

/// A program that knows the rules of a game, with its processes up to the first failure. They are started when they are
/// needed.
#[derive(Debug)]
struct RulesProgram {
    launch: Launch,
    /// Board options whose defaults differ from the program's.
    defaults: Vec<(String, Option<String>)>,
    timeouts: Timeouts,
    /// The result of the first start.
    introduction: OnceLock<Result<Introduction, String>>,
    /// Processes that are not in use. Games that are played at the same time use several.
    idle: Mutex<Vec<RulesProcess>>,
    positions: Mutex<PositionCache>,
    /// The first failure, and its time.
    fault: OnceLock<(String, Instant)>,
}

/// Minimum time from a failure of the program to its next start.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

/// The flag by which another process of this program knows a game.
pub const FLAG: &str = "--rules";

/// Creates the entry of a game whose rules are a program. The program is started at the first use, or here if the game has
/// no name: then the program names it. `options` are the board options whose defaults differ from the program's. It and the entry live as long as this process.
///
/// # Errors
/// The program is the built-in engine. Without a name: it does not start, or does not answer as rules must. The text names
/// it.
pub fn entry(
    name: Option<&str>,
    program: &Program,
    options: &[(String, Option<String>)],
    timeouts: Timeouts,
) -> Result<GameEntry, Rejection> {
    let Program::Command { path, args, dir } = program else {
        return Err("rules need a program: cmd=PATH".into());
    };
    let word = |key: &str, value: &str| format!("{key}={value}");
    let mut words = vec![FLAG.to_owned(), word("cmd", &path.to_string_lossy())];
    words.extend(args.iter().map(|arg| word("arg", arg)));
    words.extend(dir.iter().map(|dir| word("dir", &dir.to_string_lossy())));
    words.extend(name.iter().map(|name| word("name", name)));
    let values = options
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)));
    words.extend(values.map(|(name, value)| word(&format!("option.{name}"), value)));
    let file = path.file_name().unwrap_or_default();
    let launch = Launch {
        name: file.to_string_lossy().into_owned(),
        program: path.clone(),
        args: args.iter().map(Into::into).collect(),
        dir: dir.clone(),
        ..Launch::default()
    };
    let program = RulesProgram::new(launch, options, timeouts);
    let name = match name {
        Some(name) => leak(name),
        None => leak(&program.introduction()?.name),
    };
    let game = ProgramGame(Mutex::new(Arc::new(program)));
    let game = Box::leak(Box::new(game));
    Ok(GameEntry::of_source(name, game, words.leak()))
}

/// The program in the words of an [`entry`], with or without the flag.
pub fn program_of(words: &[String]) -> Option<Program> {
    let values = |key: &str| {
        let values = words.iter().filter_map(|word| word.split_once('='));
        let values = values.filter(|(known, _)| *known == key);
        values
            .map(|(_, value)| value.to_owned())
            .collect::<Vec<_>>()
    };
    Some(Program::Command {
        path: values("cmd").pop()?.into(),
        args: values("arg"),
        dir: values("dir").pop().map(Into::into),
    })
}

/// The board options whose defaults the words of an [`entry`] change, and their values.
pub fn defaults_of(words: &[String]) -> Vec<(&str, &str)> {
    let options = words.iter().filter_map(|word| word.strip_prefix("option."));
    options
        .filter_map(|option| option.split_once('='))
        .collect()
}

/// A game of a program, as a source. Holds the program of new games.
#[derive(Debug)]
struct ProgramGame(Mutex<Arc<RulesProgram>>);

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

impl RulesProgram {
    fn new(
        launch: Launch,
        defaults: &[(String, Option<String>)],
        timeouts: Timeouts,
    ) -> RulesProgram {
        RulesProgram {
            launch,
            defaults: defaults.to_vec(),
            timeouts,
            introduction: OnceLock::new(),
            idle: Mutex::new(Vec::new()),
            positions: Mutex::default(),
            fault: OnceLock::new(),
        }
    }

    /// The program's introduction. Starts it, at the first call.
    fn introduction(&self) -> Result<&Introduction, Rejection> {
        let introduce = || {
            let mut process = RulesProcess::start(&self.launch, self.timeouts)?;
            let mut introduction = Introduction::of(&mut process)?;
            introduction.set_defaults(&self.defaults)?;
            self.idle.lock().push(process);
            Ok(introduction)
        };
        let introduction = self.introduction.get_or_init(|| {
            introduce().map_err(|why: String| {
                self.fail(&why);
                format!("{}: {why}", self.launch.name)
            })
        });
        introduction.as_ref().map_err(|why| Rejection(why.clone()))
    }

    /// `true` if the program answers a query.
    fn answers(&self, query: Query) -> bool {
        let introduction = self.introduction();
        introduction.is_ok_and(|introduction| introduction.queries.contains(&query))
    }

    /// Takes an idle process whose answers are all read, or a new one.
    fn process(&self) -> Result<RulesProcess, Trouble> {
        let introduction = self.introduction();
        if let Some(fault) = self.failure() {
            return Err(Trouble::Fault(fault.to_owned()));
        }
        introduction.map_err(|Rejection(why)| Trouble::Fault(why))?;
        let idle = self.take_idle(|due| due.is_none());
        let idle = idle.or_else(|| self.take_idle(|_| true));
        let start = || RulesProcess::start(&self.launch, self.timeouts);
        let process = idle.map_or_else(start, Ok);
        let mut process = process.map_err(|why| self.fail(&why))?;
        self.settle(&mut process)?;
        Ok(process)
    }

    fn take_idle(&self, is_wanted: impl Fn(Option<&Due>) -> bool) -> Option<RulesProcess> {
        let mut idle = self.idle.lock();
        let at = idle
            .iter()
            .rposition(|process| is_wanted(process.due.as_ref()))?;
        Some(idle.swap_remove(at))
    }

    /// Reads the answers of a process that were left for later.
    fn settle(&self, process: &mut RulesProcess) -> Result<(), Trouble> {
        let Some(mut due) = process.due.take() else {
            return Ok(());
        };
        let mut unused = Exchange::default();
        let exchange = match &mut due {
            Due::Moves { exchange, .. } => exchange,
            Due::Ahead(_) => &mut unused,
        };
        let read = process.read_answers(exchange, usize::MAX);
        read.map_err(|why| self.fail(&why))?;
        if let Due::Moves {
            state,
            line,
            exchange,
        } = &due
        {
            let read = PositionState::read(exchange);
            let read = read.map_err(|why| self.fail(&format!("{line}: {why}")))?;
            let moves = read.moves.into_inner().unwrap_or_default();
            let _ = state.moves.set(moves);
        }
        Ok(())
    }

    /// The legal moves of a position, separated by blanks; empty after a failure. Blocks until they are read.
    fn moves<'a>(&self, state: &'a Arc<PositionState>) -> &'a str {
        if state.moves.get().is_none() {
            let is_it = |due: Option<&Due>| matches!(due, Some(Due::Moves { state: known, .. }) if Arc::ptr_eq(known, state));
            if let Some(mut process) = self.take_idle(is_it)
                && self.settle(&mut process).is_ok()
            {
                self.idle.lock().push(process);
            }
        }
        // Another thread may have taken the process, and reads them.
        state.moves.wait()
    }

    /// Asks about a position without waiting for the answers, if a process is idle.
    fn ask_ahead(&self, settings: &Settings, key: u128, line: &str) {
        if self.positions.lock().get(key).is_none()
            && let Some(mut process) = self.take_idle(|due| due.is_none())
        {
            process.ask(settings, &PositionState::questions(line));
            process.due = Some(Due::Ahead(key));
            self.idle.lock().push(process);
        }
    }

    /// Sends the lines to an idle process, or to a new one, after the options that it does not have yet.
    fn exchange(&self, settings: &Settings, lines: &str) -> Result<Exchange, Trouble> {
        let mut process = self.process()?;
        let exchange = process.exchange(settings, lines);
        let exchange = exchange.map_err(|why| self.fail(&why))?;
        self.idle.lock().push(process);
        Ok(exchange)
    }

    /// Stores a failure of the program, and ends its idle processes.
    fn fail(&self, why: &str) -> Trouble {
        let name = &self.launch.name;
        let fault = || (format!("{RULES_FAILURE}{name}: {why}"), Instant::now());
        let (why, _) = self.fault.get_or_init(fault);
        let idle = std::mem::take(&mut *self.idle.lock());
        drop(idle);
        Trouble::Fault(why.clone())
    }

    /// The first failure.
    fn failure(&self) -> Option<&str> {
        self.fault.get().map(|(why, _)| why.as_str())
    }

    /// The state of a position, from memory if it was asked for before. `key` identifies the options and the line.
    fn state(
        &self,
        settings: &Settings,
        key: u128,
        line: &str,
    ) -> Result<Arc<PositionState>, Trouble> {
        if let Some(state) = self.positions.lock().get(key) {
            return Ok(state);
        }
        let state = self.early_state(settings, key, line)?;
        if state.outcome.is_some() && self.ask_state(settings, line)? != *state {
            return Err(self.fail(&format!(
                "two answers for {}",
                protocol::text::excerpt(line)
            )));
        }
        self.positions.lock().insert(key, Arc::clone(&state));
        Ok(state)
    }

    /// Asks for the state of a position, unless that was done ahead, and reads what a game needs before the next move is
    /// requested. The legal moves are read later.
    fn early_state(
        &self,
        settings: &Settings,
        key: u128,
        line: &str,
    ) -> Result<Arc<PositionState>, Trouble> {
        let asked = self.take_idle(|due| matches!(due, Some(Due::Ahead(asked)) if *asked == key));
        let mut process = match asked {
            Some(mut process) => {
                process.due = None;
                process
            }
            None => {
                let mut process = self.process()?;
                process.ask(settings, &PositionState::questions(line));
                process
            }
        };
        let mut exchange = Exchange::default();
        let n_early = PositionState::QUERIES.len() - 1;
        let read = process.read_answers(&mut exchange, n_early);
        read.map_err(|why| self.fail(&why))?;
        let state = PositionState::read_early(&exchange);
        let state = match state.map(Arc::new) {
            Some(state) => {
                let (state_due, line) = (Arc::clone(&state), line.to_owned());
                process.due = Some(Due::Moves {
                    state: state_due,
                    line,
                    exchange,
                });
                state
            }
            None => {
                if exchange.responses.len() == n_early && exchange.error.is_none() {
                    let read = process.read_answers(&mut exchange, usize::MAX);
                    read.map_err(|why| self.fail(&why))?;
                }
                Arc::new(self.checked(exchange, line)?)
            }
        };
        self.idle.lock().push(process);
        Ok(state)
    }

    fn ask_state(&self, settings: &Settings, line: &str) -> Result<PositionState, Trouble> {
        let exchange = self.exchange(settings, &PositionState::questions(line))?;
        self.checked(exchange, line)
    }

    /// The state by all answers to its questions.
    fn checked(&self, exchange: Exchange, line: &str) -> Result<PositionState, Trouble> {
        match exchange.error {
            Some(why) if exchange.responses.len() == PositionState::QUERIES.len() => {
                Err(Trouble::Rejected(why))
            }
            _ => PositionState::read(&exchange).map_err(|why| self.fail(&format!("{line}: {why}"))),
        }
    }

    /// The answers to the queries of a position that was accepted before.
    fn ask(
        &self,
        settings: &Settings,
        line: &str,
        queries: &[Query],
    ) -> Result<Vec<String>, Trouble> {
        let queries: String = queries
            .iter()
            .map(|query| format!("query {}\n", query.word()))
            .collect();
        let n_queries = queries.lines().count();
        let exchange = self.exchange(settings, &format!("{line}\n{queries}"))?;
        match exchange.error {
            None if exchange.responses.len() == n_queries => Ok(exchange.responses),
            error => {
                let error = error.unwrap_or_else(|| "answers missing".to_owned());
                Err(self.fail(&format!("{line}: {error}")))
            }
        }
    }

    /// Position string and board options of a position.
    fn facts(&self, settings: &Settings, line: &str) -> Result<Facts, Trouble> {
        let mut answers = self.ask(settings, line, &[Query::Fen, Query::Game])?;
        let game = answers.pop().unwrap_or_default();
        let options: Vec<&str> = game.split_whitespace().skip(1).collect();
        Ok(Facts {
            shape: options.join(" "),
            fen: answers.pop().unwrap_or_default(),
        })
    }

    /// The board as the program draws it for a person; empty if it does not.
    fn drawing(&self, settings: &Settings, line: &str) -> Vec<String> {
        let exchange = self.exchange(settings, &format!("{line}\nd\n"));
        let mut text = exchange.map_or_else(|_| Vec::new(), |exchange| exchange.text);
        text.retain(|line| !line.starts_with("fen:"));
        text
    }
}

impl ProgramGame {
    fn current(&self) -> Arc<RulesProgram> {
        Arc::clone(&self.0.lock())
    }

    /// The program for a new game: another one if the current one failed some time ago.
    fn for_new_game(&self) -> Arc<RulesProgram> {
        let mut current = self.0.lock();
        let failed = current.fault.get();
        if failed.is_some_and(|(_, time)| time.elapsed() >= RESTART_PAUSE) {
            let (launch, defaults) = (current.launch.clone(), &current.defaults);
            *current = Arc::new(RulesProgram::new(launch, defaults, current.timeouts));
        }
        Arc::clone(&current)
    }
}

impl GameSource for ProgramGame {
    fn start(&self) -> Result<(), Rejection> {
        let program = self.for_new_game();
        let introduced = program.introduction().map(drop);
        introduced.map_err(|Rejection(why)| Rejection(format!("{RULES_FAILURE}{why}")))
    }

    fn about(&self) -> &'static About {
        let program = self.current();
        let introduction = program.introduction();
        introduction.map_or(&NO_TEXTS.about, |introduction| introduction.about)
    }

    fn options(&self) -> Vec<OptionDecl> {
        let program = self.current();
        let introduction = program.introduction();
        introduction.map_or_else(|_| Vec::new(), |introduction| introduction.options.clone())
    }

    fn open(&self, options: &Options, line: PositionLine<'_>) -> Opened {
        let values = options.values();
        let settings = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut history = ProgramHistory::begin(self.for_new_game(), settings.collect(), line.fen)?;
        for code in line.moves {
            let played = history.play(code);
            if history.fault().is_some() {
                break;
            }
            played?;
        }
        Ok(Box::new(history))
    }
}

/// The key of a line, from the key of the line without its last word.
fn extended_key(key: u128, word: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, key, word).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}
