//! Errors of a bridge, shown in the GUI that started it.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use bridge::{BridgeError, Lines, cecp, gtp};
use protocol::text::one_line;

use super::signals::stop_on_signals;
use crate::args::BridgeProtocol;
use crate::usage::Failure;

/// Returns the GUI's protocol if these arguments start a bridge for a GUI, even if other words of them are wrong.
pub(crate) fn gui_protocol(args: &[OsString]) -> Option<BridgeProtocol> {
    let only_prints = |word: &OsString| word == "--print-command" || word == "--pieces";
    if args.iter().any(only_prints) {
        return None;
    }
    let protocol = args.windows(2).find(|words| words[0] == "bridge")?[1].to_str()?;
    match protocol {
        "cecp" => Some(BridgeProtocol::Cecp),
        "gtp" => Some(BridgeProtocol::Gtp),
        _ => None,
    }
}

/// Sends a failure to the GUI that started the bridge, if there is one, and returns the result unchanged. A GTP controller
/// gets the failure as the answer to each of its commands.
pub(crate) fn shown_in_gui<T>(
    gui: Option<BridgeProtocol>,
    result: Result<T, Failure>,
) -> Result<T, Failure> {
    if let (Some(protocol), Err(failure)) = (gui, &result) {
        let is_help = matches!(failure, Failure::Clap(error) if !error.use_stderr());
        if !is_help {
            // Without a reader of the output, the failure is on standard error alone.
            let _ = show(&first_line(&failure.text()), protocol);
        }
    }
    result
}

fn first_line(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    one_line(first.trim_start_matches("error: ")).into_owned()
}

fn show(why: &str, protocol: BridgeProtocol) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match protocol {
        BridgeProtocol::Cecp => cecp::show_error(why, &mut output)?,
        BridgeProtocol::Gtp if !io::stdin().is_terminal() => {
            let stop = stop_on_signals()?;
            let lines = Lines::read(io::stdin(), stop, None).map_err(BridgeError::Thread)?;
            gtp::refuse(why, &lines, &mut output)?;
        }
        BridgeProtocol::Gtp | BridgeProtocol::Ugi => {}
    }
    Ok(())
}
