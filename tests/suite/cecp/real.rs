//! XBoard itself, in a virtual framebuffer, has two bridges play matches. Skipped where XBoard, Xvfb or xauth is missing.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Folder, installed};

/// Timeout of a match of three games.
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// XBoard in a framebuffer of its own, killed when this is dropped.
struct XBoard {
    child: Child,
    folder: Folder,
}

impl XBoard {
    /// Starts a match of three games; `None` where a program is missing. The command is the one that
    /// `--print-command` shows.
    fn start(game: &str) -> Option<XBoard> {
        for program in [xboard_path(), "xvfb-run", "xauth"] {
            installed(program)?;
        }
        let folder = Folder::new("xboard");
        let words =
            format!("bridge cecp {game} --engine builtin nodes=60 --pieces pieces --print-command");
        let shown = folder.linesman(&words).done();
        assert_eq!(shown.status, Some(0), "{}", shown.stderr);
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

    /// What XBoard wrote about the match, once it has ended: it ends by itself after the last game.
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
        // xvfb-run ends its server when it is told to end.
        let pid = self.child.id().to_string();
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = Command::new("kill").arg(pid).status();
        }
        let _ = self.child.wait();
    }
}

/// Debian has it among the games, which not everybody's PATH holds.
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

/// Three games are played to their ends, which the bridges told with their reasons, and XBoard had nothing to object.
fn plays_a_match(game: &str, is_reason: impl Fn(&str) -> bool) {
    let Some(xboard) = XBoard::start(game) else {
        return;
    };
    let debug = xboard.debug_output();
    for objection in ["llegal", "Forfeit", "adjudication"] {
        let line = debug.lines().find(|line| line.contains(objection));
        assert_eq!(line, None, "{game}");
    }
    // The last number is who said it: 5 and 6 are the engines.
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
    plays_a_match("gobblet:Size=4", |reason| {
        reason.contains("wins: line") || reason.contains("draw")
    });
}
