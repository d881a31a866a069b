//! `show --step`: a game at a terminal, one key per move.

use std::io::{self, IsTerminal};
use std::process::{self, ExitCode};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, unbounded};
use crossterm::event::{KeyCode, KeyModifiers};
use draw::Room;

use super::Replay;
use crate::platform::terminal::{RawTerminal, restore, terminal_size};
use crate::platform::{self, Wish};
use crate::play::line::Row;
use crate::play::screen::{Frame, Input, Screen, Size, direction};
use crate::usage::{Failure, refuse};

const HELP: &str = "Space on, b back, Home, End, q leave";

/// Interval of checks of the terminal's size.
const SIZE_INTERVAL: Duration = Duration::from_millis(200);

/// Shows the game from this position until the user quits.
pub(super) fn run(replay: &mut Replay<'_>, from: usize, title: &str) -> Result<ExitCode, Failure> {
    // Ctrl-C is a key.
    platform::on_signals(|wish| {
        if wish == Wish::Terminate {
            restore();
            process::exit(0);
        }
    })?;
    let (sender, input) = unbounded();
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let terminal = is_terminal.then(|| RawTerminal::open(sender, input).ok());
    let Some(mut terminal) = terminal.flatten() else {
        return refuse!("--step needs a terminal: leave it out to print all positions");
    };
    replay.go_to(from);
    step(replay, &mut terminal, title).map_err(Failure::Output)?;
    terminal.close(&format!("{}\n", status(replay)));
    Ok(ExitCode::SUCCESS)
}

fn step(replay: &mut Replay<'_>, terminal: &mut RawTerminal, title: &str) -> io::Result<()> {
    loop {
        terminal.paint(&frame(replay, title))?;
        let input = match terminal.input().recv_timeout(SIZE_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => continue,
            heard => heard.unwrap_or(Input::End),
        };
        let key = match input {
            Input::Key(key) => key,
            Input::Interrupt | Input::End => return Ok(()),
            other => {
                terminal.echo(&other)?;
                continue;
            }
        };
        let at = replay.at;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, direction(key.code)) {
            (KeyCode::Char('d'), _) if is_control => return Ok(()),
            (KeyCode::Char('j'), _) if is_control => replay.go_to(at + 1),
            _ if is_control => {}
            (_, Some((-1, -1))) | (KeyCode::Char('g'), _) => replay.go_to(0),
            (_, Some((-1, 1))) | (KeyCode::Char('G'), _) => replay.go_to(usize::MAX),
            (_, Some((1, 0 | 1) | (0, 1)))
            | (KeyCode::Char(' ' | 'n' | 'j' | 'l') | KeyCode::Enter, _) => replay.go_to(at + 1),
            (_, Some(_)) | (KeyCode::Char('b' | 'p' | 'k' | 'h') | KeyCode::Backspace, _) => {
                replay.go_to(at.saturating_sub(1));
            }
            (KeyCode::Char('q' | 'Q') | KeyCode::Esc, _) => return Ok(()),
            _ => {}
        }
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
        .chain(said.lines());
    let mut frame = Frame::new(Size { columns, lines });
    frame.put_rows(0, rows.take(lines - 1));
    let status = format!("{} of {}: {HELP}{part}", replay.at, replay.n_plies());
    let shown: String = status.chars().take(columns - 1).collect();
    frame.put_last(&Row::new(&shown));
    frame
}

/// The last move; at the end of the game, also its result.
fn status(replay: &Replay<'_>) -> String {
    let last = replay.last_move();
    match replay.at < replay.n_plies() {
        true => last,
        false => format!("{last}\n{}", replay.ending())
            .trim_start()
            .to_owned(),
    }
}
