//! `linesman bridge`: a built-in or other engine behind the protocol of a GUI.
//!
//! The library [`bridge`] answers the GUI; this module supplies the engine, standard input and output, and the
//! signals that stop it.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use bridge::{BridgeError, BridgeSetup, Lines, LoggedOutput, cecp, gtp, shell_line};
use clap::ValueEnum;
use protocol::ProtocolOutput;
use protocol::text::one_line;
use record::plan::DEFAULT_SEARCH_TIMEOUT_MS;
use record::registry::Registry;

use crate::args::{BridgeArgs, BridgeProtocol};
use crate::config::read_words;
use crate::engines::words::{LARGE_MARGIN_MS, ONE_SECOND, Words};
use crate::game_name::{parse_game, parse_game_or_any, rules};
use crate::matches::plan::open_log;
use crate::matches::quiet_host;
use crate::paths;
use crate::platform::stop_on_signals;
use crate::usage::{Done, Failure, OrFail, refuse, trouble, usage};

/// Serves the GUI until it quits. Returns the exit status.
pub(crate) fn run(args: &BridgeArgs, registry: Registry) -> Done<ExitCode> {
    if args.print_command || args.pieces.is_some() {
        prepare(args, &setup(args, registry)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let checked = setup(args, registry).and_then(|setup| {
        match args.protocol {
            BridgeProtocol::Cecp => drop(cecp::layout_of(&setup)?),
            BridgeProtocol::Gtp => drop(gtp::layout_of(&setup)?),
            BridgeProtocol::Ugi => {}
        }
        Ok(setup)
    });
    let setup = shown_in_gui(Some(args.protocol), checked)?;
    let stop = stop_on_signals()?;
    let log = setup.log.clone();
    let lines = Lines::read(io::stdin(), stop, log.clone()).or_trouble("cannot start a thread")?;
    let mut output = LoggedOutput::new(ProtocolOutput::default(), log);
    match args.protocol {
        BridgeProtocol::Cecp => cecp::run(&setup, &lines, &mut output)?,
        BridgeProtocol::Gtp => gtp::run(&setup, &lines, &mut output)?,
        BridgeProtocol::Ugi => bridge::ugi::run(&setup, &lines, &mut output)?,
    }
    match setup.host.stop.failure() {
        Some(why) => Err(Failure::Trouble(why.to_owned())),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn setup(args: &BridgeArgs, registry: Registry) -> Done<BridgeSetup> {
    let game = match args.protocol {
        // Lines are relayed without rules, too.
        BridgeProtocol::Ugi => parse_game_or_any(&args.game, registry)?,
        _ => {
            let game = parse_game(&args.game, registry)?;
            rules(registry, &game)?;
            game
        }
    };
    let host = quiet_host(registry)?;
    let words = match &args.engine {
        Some(words) => read_words("--engine", words)?.or_builtin(),
        None => Words::builtin(),
    };
    let overrides_limit = words.limit.is_some();
    let defaults = Words::limited(ONE_SECOND, Some(LARGE_MARGIN_MS));
    Ok(BridgeSetup {
        game,
        overrides_limit,
        engine: words.spec("--engine", &defaults)?,
        search_timeout_ms: args.search_timeout.search_timeout_ms,
        log: open_log(args.log.as_deref(), &host.stop)?,
        shows_wire: args.wire,
        host,
    })
}

/// Returns the GUI's protocol if these arguments start a bridge for a GUI, even if other words of them are wrong.
pub(crate) fn gui_protocol(args: &[OsString]) -> Option<BridgeProtocol> {
    let only_prints = |word: &OsString| word == "--print-command" || word == "--pieces";
    if args.iter().any(only_prints) {
        return None;
    }
    let protocol = args.windows(2).find(|words| words[0] == "bridge")?[1].to_str()?;
    let protocol = BridgeProtocol::from_str(protocol, false).ok();
    protocol.filter(|protocol| *protocol != BridgeProtocol::Ugi)
}

/// Sends a failure to the GUI that started the bridge, if there is one, and returns the result unchanged. A GTP controller
/// gets the failure as the answer to each of its commands.
pub(crate) fn shown_in_gui<T>(gui: Option<BridgeProtocol>, result: Done<T>) -> Done<T> {
    if let (Some(protocol), Err(failure)) = (gui, &result) {
        let is_help = matches!(failure, Failure::Clap(error) if !error.use_stderr());
        if !is_help {
            // Without a reader of the output, the failure is on standard error alone.
            let text = failure.text();
            let first = text.lines().next().unwrap_or_default();
            let _ = show(&one_line(first.trim_start_matches("error: ")), protocol);
        }
    }
    result
}

fn show(why: &str, protocol: BridgeProtocol) -> Done {
    let mut output = io::stdout().lock();
    match protocol {
        BridgeProtocol::Cecp => cecp::show_error(why, &mut output)?,
        BridgeProtocol::Gtp if !io::stdin().is_terminal() => {
            gtp::refuse(why, io::stdin(), &mut output)?;
        }
        BridgeProtocol::Gtp | BridgeProtocol::Ugi => {}
    }
    Ok(())
}

impl From<BridgeError> for Failure {
    fn from(error: BridgeError) -> Failure {
        match error {
            BridgeError::Unsuitable(why) => usage("GAME", why),
            BridgeError::Table(error) => error.into(),
            BridgeError::Output(error) => Failure::Output(error),
            BridgeError::Ended(why) => Failure::Trouble(why),
        }
    }
}

/// Writes the images of the pieces for XBoard, and shows the command that starts the GUI, if requested.
fn prepare(args: &BridgeArgs, setup: &BridgeSetup) -> Done {
    match (args.protocol, &args.pieces) {
        (BridgeProtocol::Cecp, _) => prepare_xboard(args, setup),
        (BridgeProtocol::Gtp, None) => {
            gtp::layout_of(setup)?;
            let command = gtp::gogui_command(&engine_words(args, setup, "gtp"));
            show_command(&command.or_usage("--print-command")?)
        }
        (BridgeProtocol::Gtp, Some(_)) => refuse!("--pieces: only bridge cecp has pieces"),
        (BridgeProtocol::Ugi, _) => {
            refuse!("--print-command and --pieces: use them with bridge cecp or bridge gtp")
        }
    }
}

fn prepare_xboard(args: &BridgeArgs, setup: &BridgeSetup) -> Done {
    let layout = cecp::layout_of(setup)?;
    let game = layout.variant;
    // One folder per game, since all games use the same file names.
    let own = || paths::data().map(|folder| folder.join("xboard").join(game));
    let given = args
        .pieces
        .as_deref()
        .map(|folder| Ok(paths::absolute(folder)));
    let folder = given.unwrap_or_else(own).or_trouble("--pieces")?;
    cecp::write_pieces(game, &folder).map_err(|(path, error)| trouble(path.display(), error))?;
    if args.print_command {
        let command = cecp::xboard_command(&layout, &engine_words(args, setup, "cecp"), &folder);
        show_command(&command.or_usage("--print-command")?)?;
    }
    Ok(())
}

fn show_command(command: &[String]) -> Done {
    writeln!(io::stdout(), "{}", shell_line(command)).map_err(Failure::Output)
}

/// The command line of this bridge, for a GUI that starts it. The game is last: XBoard reads no quoted last word.
fn engine_words(args: &BridgeArgs, setup: &BridgeSetup, protocol: &str) -> Vec<String> {
    let executable = setup.host.executable.display().to_string();
    let mut words = [&executable, "bridge", protocol]
        .map(str::to_owned)
        .to_vec();
    let timeout_ms = args.search_timeout.search_timeout_ms;
    if timeout_ms != DEFAULT_SEARCH_TIMEOUT_MS {
        words.extend(["--search-timeout-ms".to_owned(), timeout_ms.to_string()]);
    }
    if let Some(engine) = &args.engine {
        words.push("--engine".to_owned());
        words.extend(engine.iter().cloned());
        words.push("--".to_owned());
    }
    words.push(args.game.clone());
    words
}
