//! The command that starts a GUI with a game and an engine, and the images of the pieces for XBoard.

use std::io::{self, Write};
use std::process::ExitCode;

use bridge::shell_line;
use bridge::{BridgeError, BridgeSetup, cecp, gtp};
use record::plan::DEFAULT_SEARCH_TIMEOUT_MS;

use crate::args::{BridgeArgs, BridgeProtocol};
use crate::paths;
use crate::paths::absolute;
use crate::usage::{Failure, OrFail, refuse, trouble, usage};

/// Writes the images of the pieces for XBoard, and shows the command that starts the GUI, if requested.
pub(crate) fn prepare(args: &BridgeArgs, setup: &BridgeSetup) -> Result<ExitCode, Failure> {
    match (args.protocol, &args.pieces) {
        (BridgeProtocol::Cecp, _) => prepare_xboard(args, setup)?,
        (BridgeProtocol::Gtp, None) => {
            let command = gtp::gogui_command(setup, &engine_words(args, setup, "gtp"));
            show(&command.map_err(|error| match error {
                // A word that the GUI cannot read.
                BridgeError::Engine(why) => usage("--print-command", why),
                error => error.into(),
            })?)?;
        }
        (BridgeProtocol::Gtp, Some(_)) => {
            return refuse!("--pieces: only bridge cecp has pieces");
        }
        (BridgeProtocol::Ugi, _) => {
            return refuse!(
                "--print-command and --pieces: use them with bridge cecp or bridge gtp"
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn prepare_xboard(args: &BridgeArgs, setup: &BridgeSetup) -> Result<(), Failure> {
    let layout = cecp::layout_of(setup)?;
    let game = layout.variant;
    // One folder per game, since all games use the same file names.
    let folder = match &args.pieces {
        Some(folder) => absolute(folder),
        None => paths::data()
            .or_trouble("--pieces")?
            .join("xboard")
            .join(game),
    };
    cecp::write_pieces(game, &folder).map_err(|(path, error)| {
        let error = protocol::text::without_error_number(&error.to_string());
        trouble(path.display(), error)
    })?;
    if args.print_command {
        let mut words = engine_words(args, setup, "cecp");
        if words.last().is_some_and(|word| cecp::needs_follower(word)) {
            words.extend(timeout_words(args));
        }
        let command = cecp::xboard_command(&layout, &words, &folder);
        show(&command.or_usage("--print-command")?)?;
    }
    Ok(())
}

fn show(command: &[String]) -> Result<(), Failure> {
    writeln!(io::stdout(), "{}", shell_line(command)).map_err(Failure::Output)
}

/// The command line of this bridge, for a GUI that starts it.
fn engine_words(args: &BridgeArgs, setup: &BridgeSetup, protocol: &str) -> Vec<String> {
    let executable = setup.host.executable.display().to_string();
    let mut words = vec![executable];
    words.extend(["bridge", protocol, &args.game].map(str::to_owned));
    if let Some(engine) = &args.engine {
        words.push("--engine".to_owned());
        words.extend(engine.iter().cloned());
    }
    if args.search_timeout.search_timeout_ms != DEFAULT_SEARCH_TIMEOUT_MS {
        words.extend(timeout_words(args));
    }
    words
}

fn timeout_words(args: &BridgeArgs) -> [String; 2] {
    let ms = args.search_timeout.search_timeout_ms;
    ["--search-timeout-ms".to_owned(), ms.to_string()]
}
