//! How a match ends: the exit status, and the line that says how to resume it.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use record::outputs::PgnComments;
use record::plan::Plan;
use record::stats::Standing;

use super::games::Machines;
use crate::args::OutputArgs;
use crate::engines::words::quote;
use crate::output::printable;
use crate::program;
use crate::usage::{INTERRUPTED, UNSOUND};

/// The exit status of a complete match.
pub(crate) fn complete(standing: &Standing, output: OutputArgs) -> ExitCode {
    match output.strict && standing.has_unsound_engine() {
        true => ExitCode::from(UNSOUND),
        false => ExitCode::SUCCESS,
    }
}

pub(crate) fn interrupted(resume_hint: &str) -> ExitCode {
    let line = format!("interrupted; {resume_hint}");
    let _ = writeln!(io::stderr(), "{}", printable(&line));
    ExitCode::from(INTERRUPTED)
}

/// The command that resumes a match. It repeats the output files and the machines, which the ledger does not name.
pub(crate) fn resume_hint(plan: &Plan, machines: Option<&dyn Machines>) -> String {
    let outputs = &plan.outputs;
    let files = [
        ("--pgn", plan.pgn.as_ref()),
        ("--epdout", outputs.epdout.as_ref()),
        ("--log", plan.log.as_ref()),
    ];
    let (program, ledger) = (program::name(), word(&plan.ledger));
    let mut line = format!("to resume: {program} match --resume {ledger}");
    for (flag, file) in files {
        line.extend(file.map(|file| format!(" {flag} {}", word(file))));
    }
    if outputs.pgn_comments != PgnComments::default() {
        line += &format!(" --pgn-comments {}", outputs.pgn_comments);
    }
    if let Some(machines) = machines {
        line += &format!(" {}", machines.flags());
    }
    line
}

/// A path for a shell.
fn word(path: &Path) -> String {
    quote(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_resumes_can_be_pasted_into_a_shell() {
        let mut plan = Plan {
            ledger: "a/l".into(),
            ..Plan::default()
        };
        let command = "to resume: linesman match --resume";
        assert_eq!(resume_hint(&plan, None), format!("{command} a/l"));
        plan.ledger = "my l".into();
        plan.pgn = Some("p".into());
        plan.outputs.pgn_comments.nodes = true;
        plan.outputs.epdout = Some("an e".into());
        let outputs = "--pgn p --epdout 'an e' --pgn-comments nodes";
        assert_eq!(
            resume_hint(&plan, None),
            format!("{command} 'my l' {outputs}")
        );
    }
}
