//! Programs that tests need and that may be missing.

use std::io::Write;
use std::process::Command;

/// The path of a program, if it is installed; otherwise the test reports that it is skipped.
pub(crate) fn installed(program: &str) -> Option<String> {
    let probe = format!("command -v {program}");
    path_from(program, Command::new("sh").args(["-c", &probe]))
}

/// The output of this command if it succeeds; otherwise the test reports that it is skipped because the program is
/// missing.
pub(crate) fn path_from(program: &str, probe: &mut Command) -> Option<String> {
    let path = probe.output().ok().filter(|output| output.status.success());
    if path.is_none() {
        let _ = writeln!(std::io::stdout(), "SKIPPED: there is no {program} here");
    }
    path.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
