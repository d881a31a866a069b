//! `show --step`: a game at a terminal, one key per move.

use std::io::{self, IsTerminal};
use std::process;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, unbounded};
use draw::{Room, anstyle::Style};

use super::replay::Replay;
use crate::platform::{self, Wish, terminal_size};
use crate::play::editor::Editor;
use crate::play::frame::Frame;
use crate::play::input::{Input, Key};
use crate::play::screen::{Screen, Size};
use crate::usage::{Failure, refuse};

const HELP: &str = "Space on, b back, Home, End, q leave";

/// Interval of checks of the terminal's size.
const SIZE_INTERVAL: Duration = Duration::from_millis(200);

/// Shows the game from this position until the user quits.
pub(super) fn run(replay: &mut Replay<'_>, from: usize, title: &str) -> Result<(), Failure> {
    // The editor reads Ctrl-C as a key.
    platform::on_signals(|wish| {
        if wish == Wish::Terminate {
            platform::restore_terminal();
            process::exit(0);
        }
    })?;
    let (sender, input) = unbounded();
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let editor = is_terminal.then(|| Editor::open(sender, input));
    let Some(mut editor) = editor.flatten() else {
        return refuse!("--step: no terminal: expected one at standard input and output");
    };
    replay.go_to(from);
    step(replay, &mut editor, title).map_err(Failure::Output)?;
    editor.close(&format!("{}\n", status(replay)));
    Ok(())
}

fn step(replay: &mut Replay<'_>, editor: &mut Editor, title: &str) -> io::Result<()> {
    loop {
        editor.paint(&frame(replay, title))?;
        let input = match editor.input().recv_timeout(SIZE_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => continue,
            heard => heard.unwrap_or(Input::End),
        };
        editor.echo(&input)?;
        let at = replay.at();
        match input {
            Input::Key(
                Key::Letter(' ' | 'n' | 'j' | 'l')
                | Key::Enter
                | Key::Line
                | Key::Arrow(1, 0 | 1)
                | Key::Arrow(0, 1),
            ) => replay.go_to(at + 1),
            Input::Key(
                Key::Letter('b' | 'p' | 'k' | 'h')
                | Key::Backspace
                | Key::Arrow(-1, 0)
                | Key::Arrow(0 | 1, -1),
            ) => replay.go_to(at.saturating_sub(1)),
            Input::Key(Key::Letter('g') | Key::Arrow(-1, -1)) => replay.go_to(0),
            Input::Key(Key::Letter('G') | Key::Arrow(-1, 1)) => replay.go_to(usize::MAX),
            Input::Key(Key::Letter('q' | 'Q') | Key::Escape) | Input::Interrupt | Input::End => {
                return Ok(());
            }
            _ => {}
        }
        // Each position is painted whole.
        editor.echo(&Input::Key(Key::Resumed))?;
    }
}

/// One screen: the title, the rows of the board that fit, the move and the keys.
fn frame(replay: &Replay<'_>, title: &str) -> Frame {
    let Size { columns, lines } = terminal_size().unwrap_or(Size {
        columns: 80,
        lines: 24,
    });
    let said = status(replay);
    let n_said = said.lines().count();
    // Above the status and the keys: the title and a blank line if the board fits below them, else the board alone.
    let board = |n_above: usize| {
        let lines = lines.saturating_sub(n_above + n_said + 1).max(1);
        replay.page(Some(Room {
            columns,
            lines,
            shows: "",
        }))
    };
    let (above, board) = match board(2) {
        page if page.is_whole => (&[title, ""][..], page),
        _ => (&[][..], board(0)),
    };
    let part = if board.is_whole {
        ""
    } else {
        "; a part of the board"
    };
    let board = board.text(false);
    let rows = above
        .iter()
        .copied()
        .chain(board.lines())
        .chain(said.lines())
        .take(lines - 1);
    let row = |row: &str| {
        row.chars()
            .take(columns)
            .map(|letter| (letter, Style::new()))
            .collect()
    };
    let status = format!("{} of {}: {HELP}{part}", replay.at(), replay.n_plies());
    Frame {
        rows: rows.map(row).collect(),
        status: status.chars().take(columns - 1).collect(),
    }
}

/// The last move; at the end of the game, also its result.
fn status(replay: &Replay<'_>) -> String {
    let last = replay.last_move();
    if replay.at() < replay.n_plies() {
        return last;
    }
    let ending = replay.ending();
    if last.is_empty() {
        ending
    } else {
        format!("{last}\n{ending}")
    }
}
