//! Resources that a test needs and a machine may lack, such as a program.
//!
//! On a developer's machine such a test says SKIPPED and passes. With `CI` in the environment, where no person reads what
//! passed, it fails, and says how to install what is missing.

use std::io::Write;
use std::process::Command;
use std::{env, io, thread};

/// The path of a program; `None` if it is missing and the test is skipped.
///
/// # Panics
/// If it is missing and `CI` is set.
#[track_caller]
pub fn installed(program: &str) -> Option<String> {
    let probe = format!("command -v {program}");
    path(program, Command::new("sh").args(["-c", &probe]))
}

/// The path of Python 3 itself, not of a script that chooses one; else as [`installed`].
///
/// # Panics
/// If it is missing and `CI` is set.
#[track_caller]
pub fn python() -> Option<String> {
    let probe = ["-c", "import sys; print(sys.executable)"];
    path("python3", Command::new("python3").args(probe))
}

#[track_caller]
fn path(program: &str, probe: &mut Command) -> Option<String> {
    let probed = probe.output().ok().filter(|probed| probed.status.success());
    if probed.is_none() {
        let name = program.rsplit('/').next().unwrap_or(program);
        let what = format!("there is no {name} here");
        lacking(&what, &format!("apt-get install {}", package(name)));
    }
    probed.map(|probed| String::from_utf8_lossy(&probed.stdout).trim().to_owned())
}

/// Debian's package with this program.
fn package(program: &str) -> &str {
    match program {
        "cargo" | "rustc" | "rustfmt" => "rustup",
        "cc" | "g++" => "build-essential",
        "chromedriver" => "chromium-driver",
        "go" => "golang-go",
        "node" => "nodejs",
        "smtpd" => "opensmtpd",
        "xvfb-run" => "xvfb",
        _ => program,
    }
}

/// Says that the test is skipped because of what this machine lacks, by a direct write, which the test harness does not
/// capture.
///
/// # Panics
/// If `CI` is set, with the remedy.
#[track_caller]
pub fn lacking(what: &str, remedy: &str) {
    assert!(env::var_os("CI").is_none(), "{what}: {remedy}");
    let thread = thread::current();
    let test = thread.name().unwrap_or("a part of a test");
    let _ = writeln!(io::stdout(), "SKIPPED: {test}: {what}: {remedy}");
}

/// The value of what a test needs; ends the test if there is none, which then has been reported.
#[macro_export]
macro_rules! or_skip {
    ($needed:expr) => {
        match $needed {
            Some(needed) => needed,
            None => return,
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "the test below starts it"]
    fn needs_what_does_not_exist() {
        or_skip!(installed("smtpd-that-does-not-exist"));
        unreachable!("it is not installed");
    }

    /// Runs the test above as a process; returns whether it passes, and its output.
    fn outcome(ci: Option<&str>) -> (bool, String) {
        let mut tests = Command::new(env::current_exe().expect("the tests"));
        tests.args(["--ignored", "--exact"]);
        tests.arg("needed::tests::needs_what_does_not_exist");
        tests.env_remove("CI");
        tests.envs(ci.map(|value| ("CI", value)));
        let done = tests.output().expect("they start");
        let said = String::from_utf8(done.stdout).expect("text");
        assert!(said.contains("running 1 test\n"), "{said}");
        (done.status.success(), said)
    }

    #[test]
    fn a_test_cannot_pass_in_ci_by_not_running() {
        const MISSING: &str = "there is no smtpd-that-does-not-exist here: apt-get install ";
        let (passes, said) = outcome(None);
        let skipped = format!("SKIPPED: needed::tests::needs_what_does_not_exist: {MISSING}");
        assert!(passes && said.contains(&skipped), "{said}");
        for value in ["true", "1", ""] {
            let (passes, said) = outcome(Some(value));
            assert!(!passes && said.contains(MISSING), "{said}");
            assert!(!said.contains("SKIPPED"), "{said}");
        }
        assert!(installed("/bin/sh").is_some(), "what exists is found");
        assert_eq!(package("smtpd"), "opensmtpd");
    }
}
