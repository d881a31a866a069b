//! `linesman bridge`: an engine behind the protocol of a GUI.
//!
//! The library [`bridge`] answers the GUI; this module supplies the engine, standard input and output, and the
//! signals that stop it.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use bridge::{BridgeError, BridgeSetup, Lines, LoggedOutput};
use record::outputs::LogLevel;
use record::registry::{Registry, Rules};
use referee::process::Log;

use crate::args::{BridgeArgs, BridgeProtocol};
use crate::bridging::gui_command;
use crate::bridging::signals::stop_on_signals;
use crate::bridging::start_error::shown_in_gui;
use crate::config::read_words;
use crate::engines::words::Words;
use crate::game_name::{parse_game, rules};
use crate::matches::host::quiet_host;
use crate::matches::outputs::refuse_ledger;
use crate::usage::{Failure, OrFail, usage};

/// The engine's limit if neither the GUI nor the user sets one, and its time margin. The margin is large since the
/// GUI judges the time.
const DEFAULTS: [&str; 2] = ["st=1", "timemargin=10000"];

/// Serves the GUI until it quits. Returns the exit status.
pub(crate) fn run(args: &BridgeArgs, registry: Registry) -> Result<ExitCode, Failure> {
    if args.print_command || args.pieces.is_some() {
        return gui_command::prepare(args, &setup(args, registry)?);
    }
    let setup = shown_in_gui(Some(args.protocol), checked_setup(args, registry))?;
    let stop = stop_on_signals()?;
    let log = setup.log.clone();
    let lines = Lines::read(io::stdin(), stop, log.clone()).map_err(BridgeError::Thread)?;
    let mut output = LoggedOutput::new(io::stdout().lock(), log);
    match args.protocol {
        BridgeProtocol::Cecp => bridge::cecp::run(&setup, &lines, &mut output)?,
        BridgeProtocol::Gtp => bridge::gtp::run(&setup, &lines, &mut output)?,
        BridgeProtocol::Ugi => bridge::ugi::run(&setup, &lines, &mut output)?,
    }
    match setup.host.stop.failure() {
        Some(why) => Err(Failure::Trouble(why.to_owned())),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Runs tree search as the engine of a game whose rules are a program. Returns the exit status.
pub(crate) fn tree_engine(rules: Rules, registry: Registry) -> Result<ExitCode, Failure> {
    let stop = stop_on_signals()?;
    let lines = Lines::read(io::stdin(), stop, None).map_err(BridgeError::Thread)?;
    bridge::ugi::run_builtin(registry, rules, &lines, &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the setup of a game that fits the GUI.
fn checked_setup(args: &BridgeArgs, registry: Registry) -> Result<BridgeSetup, Failure> {
    let setup = setup(args, registry)?;
    match args.protocol {
        BridgeProtocol::Cecp => drop(bridge::cecp::layout_of(&setup)?),
        BridgeProtocol::Gtp => bridge::gtp::check(&setup)?,
        BridgeProtocol::Ugi => {}
    }
    Ok(setup)
}

fn setup(args: &BridgeArgs, registry: Registry) -> Result<BridgeSetup, Failure> {
    let game = parse_game(&args.game, registry)?;
    // Lines are relayed without rules, too.
    if args.protocol != BridgeProtocol::Ugi {
        rules(registry, &game)?;
    }
    let host = quiet_host(registry)?;
    let words = match &args.engine {
        Some(words) => read_words("--engine", words)?.or_builtin(),
        None => Words::builtin(),
    };
    let defaults = read_words("--engine", &DEFAULTS.map(str::to_owned))?;
    let open = |path| {
        refuse_ledger("--log", path)?;
        Log::open(path, LogLevel::default(), host.stop.clone()).or_trouble("--log")
    };
    let log = args.log.as_deref().map(open).transpose()?;
    Ok(BridgeSetup {
        game,
        overrides_limit: words.has_limit(),
        engine: words.spec("--engine", &defaults)?,
        search_timeout_ms: args.search_timeout.search_timeout_ms,
        log: log.map(Arc::new),
        shows_wire: args.wire,
        host,
    })
}

impl From<BridgeError> for Failure {
    fn from(error: BridgeError) -> Failure {
        match error {
            BridgeError::Unsuitable(why) => usage("GAME", why),
            BridgeError::Table(error) => error.into(),
            BridgeError::Output(error) => Failure::Output(error),
            BridgeError::Closed(_) | BridgeError::Engine(_) | BridgeError::Thread(_) => {
                Failure::Trouble(error.to_string())
            }
        }
    }
}
