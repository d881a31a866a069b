//! The real XBoard, in a virtual framebuffer, plays matches between two bridges.

use std::fs;
use std::process::{Child, Command, Stdio};

use crate::support::{Folder, ended, has, in_parallel, installed};

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
        ended(&mut self.child);
        self.read()
    }

    fn read(&self) -> String {
        let bytes = fs::read(self.folder.path("debug")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
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
fn plays_a_match(game: &str, won_by: &str) -> Option<String> {
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
        let is_draw = reason.contains("draw") && !game.starts_with("projex");
        assert!(reason.contains(won_by) || is_draw, "{end}");
    }
    Some(debug)
}

/// The last three boards just fit. XBoard sends the swap to the other bridge as a pass; on this board player 2 nearly
/// always takes the other colour.
#[test]
fn xboard_plays_matches() {
    let (line, surrounded) = ("wins: line", "is surrounded");
    let games = [
        ("entropy", "touches"),
        ("gobblet", line),
        ("susan", surrounded),
        ("projex:Size=4", "wins"),
        ("projex:Size=7", "wins"),
        ("susan:Size=6", surrounded),
        ("gobblet:Size=4", line),
    ];
    in_parallel(&games, |(game, won_by)| {
        let debug = plays_a_match(game, won_by);
        if let ("projex:Size=4", Some(debug)) = (*game, debug) {
            has(&debug, "move @@@@");
        }
    });
}
