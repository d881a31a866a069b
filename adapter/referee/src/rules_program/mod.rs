//! Rules from a program: a game whose moves and results are the answers of a UGI program.
//!
//! [`entry`] makes a [`GameEntry`] from a command, so that everything else uses the game like a compiled one. The program
//! is asked in `process`, which checks its answers, and `program`, which keeps them; `history` is a game in progress, and
//! `engine` searches it. A failure of the program is final for the games in progress: each history reports it by
//! [`DynHistory::fault`]. A game that is opened later gets new processes.

mod engine;
mod history;
mod process;
mod program;

use std::sync::Arc;
use std::time::Duration;

use draw::about::NO_TEXTS;
use draw::{About, RuleSection};
use history::ProgramHistory;
use kit::game_entry::{GameSource, Opened, PositionLine};
use kit::{DynHistory, GameEntry, OptionDecl, Options, Rejection, session};
use parking_lot::Mutex;
use process::{RulesProcess, Settings};
use program::RulesProgram;
use protocol::Query;
use protocol::text::{excerpt, one_line};
use record::engine_spec::Program;
use record::game_spec::ANY;
use serde::Deserialize;

use crate::engine::{RULES_FAILURE, SetOption, Timeouts};
use crate::process::Launch;

pub use engine::WinProof;

/// Minimum time from a failure of the program to its next start.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

/// The flag by which another process of this program knows a game.
pub const FLAG: &str = "--rules";

/// Creates the entry of a game whose rules are a program. The program is started at the first use, or here if the game has
/// no name: then the program names it. `options` are the board options whose defaults differ from the program's. It and the
/// entry live as long as this process.
///
/// # Errors
/// The program is the built-in engine. Without a name: it does not start, or does not answer as rules must. The text names
/// it.
pub fn entry(
    name: Option<&str>,
    program: &Program,
    options: &[SetOption],
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
    words.extend(options.iter().filter_map(|(name, value)| {
        let value = value.as_ref()?;
        Some(format!("option.{name}={value}"))
    }));
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
    let game = Box::leak(Box::new(ProgramGame(Mutex::new(Arc::new(program)))));
    Ok(GameEntry::of_source(name, game, words.leak()))
}

/// The program in the words of an [`entry`], with or without the flag.
pub fn program_of(words: &[String]) -> Option<Program> {
    let values = |key: &str| {
        let value = |word: &String| Some(word.strip_prefix(key)?.strip_prefix('=')?.to_owned());
        words.iter().filter_map(value).collect::<Vec<_>>()
    };
    Some(Program::Command {
        path: values("cmd").pop()?.into(),
        args: values("arg"),
        dir: values("dir").pop().map(Into::into),
    })
}

/// The board options whose defaults the words of an [`entry`] change, and their values.
pub fn defaults_of(words: &[String]) -> Vec<(&str, &str)> {
    let options = words.iter().flat_map(|word| word.strip_prefix("option."));
    options.flat_map(|option| option.split_once('=')).collect()
}

/// A game of a program, as a source. Holds the program of new games.
#[derive(Debug)]
struct ProgramGame(Mutex<Arc<RulesProgram>>);

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
        let named = |why: Rejection| Rejection(format!("{RULES_FAILURE}{why}"));
        program.introduction().map(drop).map_err(named)
    }

    fn about(&self) -> &'static About {
        let program = self.current();
        let about = program
            .introduction()
            .map(|introduction| introduction.about);
        about.unwrap_or(&NO_TEXTS.about)
    }

    fn options(&self) -> Vec<OptionDecl> {
        let program = self.current();
        let options = program
            .introduction()
            .map(|introduction| introduction.options.clone());
        options.unwrap_or_default()
    }

    fn open(&self, options: &Options, line: PositionLine<'_>) -> Opened {
        let settings = Arc::new(process::settings(options));
        let mut history = ProgramHistory::begin(self.for_new_game(), settings, line.fen)?;
        for code in line.moves {
            match history.play(code) {
                Err(_) if history.fault().is_some() => break,
                played => drop(played?),
            }
        }
        Ok(Box::new(history))
    }
}

/// Maximum length of a text of the introduction, in characters.
const MAX_TEXT: usize = 2000;

/// The introduction of a rules program.
#[derive(Debug)]
struct Introduction {
    /// The name of the game.
    name: String,
    /// The game in words.
    about: &'static About,
    /// The names of both sides.
    sides: [String; 2],
    /// The options of the board.
    options: Vec<OptionDecl>,
    /// The queries that the program answers.
    queries: Vec<Query>,
}

/// The answer to `query about`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AboutAnswer {
    title: String,
    sides: Option<[String; 2]>,
    #[serde(rename = "move")]
    example: String,
    rules: String,
}

impl Introduction {
    /// Asks a process that was just started.
    ///
    /// # Errors
    /// It does not answer a query that rules must answer, gives the game a name that cannot be typed, or does not have one
    /// of the `defaults` of board options.
    fn of(process: &mut RulesProcess, defaults: &[SetOption]) -> Result<Introduction, String> {
        let mut queries = Vec::new();
        let (mut name, mut about) = (String::new(), AboutAnswer::default());
        let mut first_move = String::new();
        for &query in Query::ALL {
            let line = format!("query {}\n", query.word());
            let exchange = process.exchange(&Settings::new(), &line)?;
            let Some(answer) = exchange.responses.into_iter().next() else {
                if Query::RULES.contains(&query) {
                    let (query, why) = (query.word(), exchange.error);
                    let why = why.as_deref().unwrap_or("no response");
                    return Err(format!(
                        "query {query}: {why}. A program that knows the rules must answer it"
                    ));
                }
                continue;
            };
            match query {
                Query::Game => name = game_name(&answer)?,
                Query::Moves => {
                    let codes = answer.split_whitespace().take(1);
                    first_move = codes.map(|code| format!("`{code}`")).collect();
                }
                Query::About => {
                    about = serde_json::from_str(&answer)
                        .map_err(|error| format!("query about: {error}"))?;
                }
                _ => {}
            }
            queries.push(query);
        }
        let sides = about.sides.unwrap_or(["p1", "p2"].map(str::to_owned));
        let or = |own: &str, other: &str| text(if own.is_empty() { other } else { own });
        let rules = text(&about.rules);
        let (idea, rest) = rules.split_once(". ").unwrap_or((rules, ""));
        let idea = idea.trim_end_matches('.');
        let section = RuleSection {
            heading: "Rules",
            text: rest,
            picture: None,
        };
        let introduced = About {
            title: or(&about.title, &name),
            idea: match rules {
                "" => "",
                _ => leak(&format!("{idea}.")),
            },
            example: or(&about.example, &first_move),
            rules: (!rest.is_empty()).then_some(section).into_iter().collect(),
            ..About::default()
        };
        // A program may be an engine, too: its other options concern the search.
        let of_engine = session::declared(true, Vec::new());
        let is_of_board = |option: &&OptionDecl| {
            let is_it = |name: &str| option.name.eq_ignore_ascii_case(name);
            let mut known = of_engine.iter().map(|own| own.name.as_str());
            !known.any(is_it) && !is_it("Contempt") && !option.name.starts_with("UCI_")
        };
        let options = process.declared.iter().filter(is_of_board);
        let mut options = Options::new(options.cloned().collect());
        for (name, value) in defaults {
            let set = options.set(name, value.as_deref());
            set.map_err(|error| error.to_string())?;
        }
        Ok(Introduction {
            about: Box::leak(Box::new(introduced)),
            sides: sides.map(|side| text(&side).to_owned()),
            options: options.to_defaults(),
            queries,
            name,
        })
    }
}

/// A text that lives as long as this process.
fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// A text on one line, without characters that a terminal acts on.
fn text(text: &str) -> &'static str {
    let text: String = one_line(text).chars().take(MAX_TEXT).collect();
    leak(&text)
}

/// The first word of the answer to `query game`.
fn game_name(answer: &str) -> Result<String, String> {
    let name = answer.split_whitespace().next().unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if (1..=40).contains(&name.len()) && name.chars().all(is_word) && name != ANY {
        return Ok(name.to_owned());
    }
    let answer = excerpt(answer);
    let what = "does not begin with a name of letters, digits and hyphens";
    Err(format!("query game: {answer:?} {what}"))
}
