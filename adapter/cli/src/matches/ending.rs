//! How a match ends: the exit status, and the line that says how to resume it.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use record::stats::Standing;

use crate::args::OutputArgs;
use crate::engines::words::quote;
use crate::output::printable;
use crate::usage::{INTERRUPTED, UNSOUND};

/// The exit status of a complete match.
pub(crate) fn complete(standing: &Standing, output: OutputArgs) -> ExitCode {
    match output.strict && standing.has_unsound_engine() {
        true => ExitCode::from(UNSOUND),
        false => ExitCode::SUCCESS,
    }
}

pub(crate) fn interrupted(ledger: &Path) -> ExitCode {
    let line = format!("interrupted; {}", to_go_on(ledger));
    let _ = writeln!(io::stderr(), "{}", printable(&line));
    ExitCode::from(INTERRUPTED)
}

pub(crate) fn to_go_on(ledger: &Path) -> String {
    let ledger = quote(ledger.display().to_string());
    format!("to resume: linesman match --resume {ledger}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_resumes_can_be_pasted_into_a_shell() {
        let command = |ledger| to_go_on(Path::new(ledger));
        assert_eq!(command("a/l"), "to resume: linesman match --resume a/l");
        assert_eq!(command("my l"), "to resume: linesman match --resume 'my l'");
    }
}
