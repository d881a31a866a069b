//! Support of `linesman bridge cecp` for XBoard: images of the pieces, and the command that starts XBoard.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use bridge::{BridgeSetup, cecp};

use crate::args::{BridgeArgs, BridgeProtocol};
use crate::paths;
use crate::paths::absolute;
use crate::usage::Failure;

/// Writes the images of the pieces and, if requested, shows the command that uses them.
pub(crate) fn prepare(args: &BridgeArgs, setup: &BridgeSetup) -> Result<ExitCode, Failure> {
    if args.protocol != BridgeProtocol::Cecp {
        return Err(Failure::Usage(
            "--print-command and --pieces: expected them with bridge cecp".to_owned(),
        ));
    }
    let layout = cecp::layout_of(setup)?;
    let game = layout.variant();
    let folder = piece_folder(args, game)?;
    cecp::write_pieces(game, &folder).map_err(|(path, error)| {
        let error = protocol::text::without_error_number(&error.to_string());
        Failure::Trouble(format!("{}: {error}", path.display()))
    })?;
    if args.print_command {
        let command = cecp::xboard_command(&layout, &engine_words(args, setup), &folder);
        writeln!(io::stdout(), "{}", cecp::shell_line(&command)).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder for the images: one per game, since all games use the same file names.
fn piece_folder(args: &BridgeArgs, game: &str) -> Result<PathBuf, Failure> {
    if let Some(folder) = &args.pieces {
        return Ok(absolute(folder));
    }
    let data = paths::data().map_err(|error| Failure::Trouble(format!("--pieces: {error}")))?;
    Ok(data.join("xboard").join(game))
}

/// The command line of this bridge, for a GUI that starts it.
fn engine_words(args: &BridgeArgs, setup: &BridgeSetup) -> Vec<String> {
    let executable = setup.host.executable.display().to_string();
    let mut words = vec![executable];
    words.extend(["bridge", "cecp", &args.game].map(str::to_owned));
    if let Some(engine) = &args.engine {
        words.push("--engine".to_owned());
        words.extend(engine.iter().cloned());
    }
    words
}
