//! `show --step`: a game at a terminal, one key per move.

use std::io::{self, IsTerminal};
use std::process;

use super::replay::Replay;
use crate::keyboard::{Key, Keyboard};
use crate::output::write;
use crate::platform::{self, Wish, terminal_size};
use crate::usage::Failure;

/// Clears the screen.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Escape sequences for the cursor, which is hidden while a board is shown.
const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";

const HELP: &str = "Space on, b back, Home, End, q leave";

/// Shows the game from this position until the user quits.
pub(super) fn run(replay: &mut Replay<'_>, from: usize, title: &str) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let why = "--step: no terminal: expected one at standard input and output";
        return Err(Failure::Usage(why.to_owned()));
    }
    replay.go_to(from);
    let mut keyboard = Keyboard::open().map_err(Failure::Output)?;
    let end = |_: Wish| {
        let _ = write(SHOW_CURSOR);
        platform::restore_terminal();
        process::exit(0);
    };
    platform::on_signals(end)?;
    let stepped = platform::enter_full_screen().and_then(|_| step(replay, &mut keyboard, title));
    let left = write(SHOW_CURSOR);
    drop(keyboard);
    stepped.and(left).map_err(Failure::Output)?;
    write(&format!("{}\n", status(replay))).map_err(Failure::Output)
}

fn step(replay: &mut Replay<'_>, keyboard: &mut Keyboard, title: &str) -> io::Result<()> {
    loop {
        show(replay, title)?;
        let at = replay.at();
        match keyboard.read()? {
            Some(
                Key::Char(' ' | 'n' | 'j' | 'l')
                | Key::Enter
                | Key::Right
                | Key::Down
                | Key::PageDown,
            ) => {
                replay.go_to(at + 1);
            }
            Some(
                Key::Char('b' | 'p' | 'k' | 'h')
                | Key::Backspace
                | Key::Left
                | Key::Up
                | Key::PageUp,
            ) => {
                replay.go_to(at.saturating_sub(1));
            }
            Some(Key::Char('g') | Key::Home) => replay.go_to(0),
            Some(Key::Char('G') | Key::End) => replay.go_to(usize::MAX),
            Some(Key::Char('q' | 'Q') | Key::Escape | Key::Interrupt) | None => return Ok(()),
            Some(Key::Suspend) => {
                write(SHOW_CURSOR)?;
                platform::suspend();
            }
            Some(_) => {}
        }
    }
}

/// Draws one screen: the title, the rows of the board that fit, the move and the keys.
fn show(replay: &Replay<'_>, title: &str) -> io::Result<()> {
    let (n_columns, n_rows) = terminal_size().map_or((80, 24), |size| (size.columns, size.lines));
    let clip = |line: &str| line.chars().take(n_columns).collect::<String>();
    let said = status(replay);
    // The title, a blank line, the status and the keys.
    let n_fixed = 3 + said.lines().count();
    let board = replay.draw();
    let rows: Vec<&str> = board.lines().collect();
    let n_shown = n_rows.saturating_sub(n_fixed).max(1);
    let mut text = format!("{HIDE_CURSOR}{CLEAR}{}\n\n", clip(title));
    for row in rows.iter().take(n_shown) {
        text.push_str(&format!("{}\n", clip(row)));
    }
    for line in said.lines() {
        text.push_str(&format!("{}\n", clip(line)));
    }
    let cut = rows.len().saturating_sub(n_shown);
    let cut = match cut {
        0 => String::new(),
        cut => format!("; {cut} rows do not fit"),
    };
    text.push_str(&clip(&format!(
        "{} of {}: {HELP}{cut}",
        replay.at(),
        replay.n_plies()
    )));
    write(&text)
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
