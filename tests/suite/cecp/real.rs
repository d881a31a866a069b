//! The real XBoard, in a virtual framebuffer, plays matches between two bridges.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Folder, has, installed};

/// Timeout of a match of three games.
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// XBoard in its virtual framebuffer; killed on drop.
struct XBoard {
    child: Child,
    folder: Folder,
}

impl XBoard {
    /// Starts a match of three games with the command that `--print-command` shows; `None` if a program is missing.
    fn start(game: &str) -> Option<XBoard> {
        for program in [xboard_path(), "xvfb-run", "xauth"] {
            installed(program)?;
        }
        let folder = Folder::new("xboard");
        let words =
            format!("bridge cecp {game} --engine builtin nodes=60 --pieces pieces --print-command");
        let shown = folder.linesman(&words).exits(0);
        let line = format!(
            "PATH=$PATH:/usr/games; exec xvfb-run -a {} -mode TwoMachines -mg 3 -matchPause 10 -tc 5 -mps 40 \
             -animateMoving false -soundMove '' -popupExitMessage false -debug -nameOfDebugFile debug",
            shown.stdout[0]
        );
        let mut command = folder.command("bash");
        let home = folder.path("");
        let child = command
            .args(["-c", &line])
            .env("HOME", home)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("bash");
        Some(XBoard { child, folder })
    }

    /// XBoard's debug output. Waits until XBoard exits, which it does after the last game.
    fn debug_output(mut self) -> String {
        let deadline = Instant::now() + TIME_LIMIT;
        while self
            .child
            .try_wait()
            .expect("it can be waited for")
            .is_none()
        {
            assert!(
                Instant::now() < deadline,
                "the match does not end: {}",
                tail(&self.read())
            );
            thread::sleep(Duration::from_millis(20));
        }
        self.read()
    }

    fn read(&self) -> String {
        fs::read(self.folder.path("debug")).map_or_else(
            |_| String::new(),
            |bytes| String::from_utf8_lossy(&bytes).into_owned(),
        )
    }
}

impl Drop for XBoard {
    fn drop(&mut self) {
        // xvfb-run ends its server on SIGTERM.
        let pid = self.child.id().to_string();
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = Command::new("kill").arg(pid).status();
        }
        let _ = self.child.wait();
    }
}

/// Debian installs it in the games folder, which is not in every PATH.
fn xboard_path() -> &'static str {
    const DEBIAN: &str = "/usr/games/xboard";
    match fs::exists(DEBIAN) {
        Ok(true) => DEBIAN,
        _ => "xboard",
    }
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

/// Plays three games to their end. The bridges send the results with reasons, and XBoard objects to nothing. Returns
/// XBoard's debug output; `None` without XBoard.
fn plays_a_match(game: &str, is_reason: impl Fn(&str) -> bool) -> Option<String> {
    let debug = XBoard::start(game)?.debug_output();
    for objection in ["llegal", "Forfeit", "adjudication"] {
        let line = debug.lines().find(|line| line.contains(objection));
        assert_eq!(line, None, "{game}");
    }
    // The last number is the source of the result: 5 and 6 are the engines.
    let ends: Vec<&str> = debug
        .lines()
        .filter_map(|line| line.strip_prefix("GameEnds(")?.strip_suffix(')'))
        .filter(|end| end.ends_with(", 5") || end.ends_with(", 6"))
        .collect();
    assert_eq!(ends.len(), 3, "{game}: {ends:?}\n{}", tail(&debug));
    for end in ends {
        let (result, reason) = end.split_once(", ").expect("a result and a reason");
        assert!(["26", "27", "28"].contains(&result), "{end}");
        assert!(is_reason(reason), "{end}");
    }
    Some(debug)
}

#[test]
fn xboard_plays_entropy() {
    plays_a_match("entropy", |reason| {
        reason.contains("touches") || reason.contains("draw")
    });
}

#[test]
fn xboard_plays_gobblet() {
    plays_a_match("gobblet", |reason| {
        reason.contains("wins: line") || reason.contains("draw")
    });
}

#[test]
fn xboard_plays_susan() {
    plays_a_match("susan", |reason| {
        reason.contains("is surrounded") || reason.contains("draw")
    });
}

#[test]
fn xboard_plays_the_boards_that_just_fit() {
    plays_a_match("projex:Size=7", |reason| reason.contains("wins"));
    plays_a_match("susan:Size=6", |reason| {
        reason.contains("is surrounded") || reason.contains("draw")
    });
    plays_a_match("gobblet:Size=4", |reason| {
        reason.contains("wins: line") || reason.contains("draw")
    });
}

/// XBoard sends the swap to the other bridge as a pass. On this board player 2 nearly always takes the other colour.
#[test]
fn xboard_plays_a_swap() {
    if let Some(debug) = plays_a_match("projex:Size=4", |reason| reason.contains("wins")) {
        has(&debug, "move @@@@");
    }
}
