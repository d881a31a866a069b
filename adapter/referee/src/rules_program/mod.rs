//! Rules from a program: a game whose moves and results are the answers of a UGI program.
//!
//! [`entry`] makes a [`GameEntry`] from a command, so that everything else uses the game like a compiled one. The program
//! is asked in `process` and `program`, its answers are checked and kept in `answers`, `history` is a game in progress, and
//! `engine` searches it. A failure of the program is final for the games in progress: each history reports it by
//! [`DynHistory::fault`]. A game that is opened later gets new processes.

mod answers;
mod drawing;
mod engine;
mod history;
mod introduction;
mod process;
mod program;

use std::sync::Arc;
use std::time::Duration;

use draw::{About, about::NO_TEXTS};
use kit::game_entry::{GameSource, Opened, PositionLine};
use kit::{DynHistory, GameEntry, OptionDecl, Options, Rejection};
use parking_lot::Mutex;
use record::engine_spec::Program;

use crate::engine::{RULES_FAILURE, Timeouts};
use crate::process::Launch;
use history::ProgramHistory;
use introduction::leak;
use program::RulesProgram;

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
