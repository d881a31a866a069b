//! Step: many games in one process do not leak memory or handles.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::prelude::*;

const N_GAMES: usize = 200;
/// Number of games after which permanent allocations should be complete.
const N_WARM: usize = 20;
/// Time limit; slow engines play fewer games.
const LONGEST: Duration = Duration::from_secs(10);
/// Allowed growth of memory in KiB, in addition to half of the memory in use.
const SPARE_KIB: u64 = 16 * 1024;
const SPARE_HANDLES: usize = 4;

/// Resource use of a process.
#[derive(Debug, Clone, Copy)]
struct Holdings {
    /// Resident memory in KiB.
    kib: u64,
    handles: usize,
}

/// After 200 games in one process, memory and handles have not grown beyond the allowance since game 20.
pub(super) fn games(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(4, 110)?;
    let started_at = Instant::now();
    let mut warm = None;
    let mut n_games = 0;
    while n_games < N_GAMES && started_at.elapsed() < LONGEST {
        play(dialogue, &opening)?;
        n_games += 1;
        if n_games == N_WARM {
            warm = Some(holdings(dialogue)?);
        }
    }
    let warm = warm.ok_or_else(|| skip!("{n_games} games took {} s", LONGEST.as_secs()))?;
    let now = holdings(dialogue)?;
    let text = format!(
        "after {N_WARM} games {} MiB and {} handles, after {n_games} games {} MiB and {} handles",
        warm.kib / 1024,
        warm.handles,
        now.kib / 1024,
        now.handles
    );
    let is_sound = now.kib <= warm.kib + warm.kib / 2 + SPARE_KIB
        && now.handles <= warm.handles + SPARE_HANDLES;
    match is_sound {
        true => Ok(text),
        false => Err(dialogue.shown_by(fail!("{text}"), lines(dialogue, &opening, n_games))),
    }
}

/// Input lines of one game, and the number of repetitions.
fn lines(dialogue: &Dialogue<'_>, opening: &Opening, n_games: usize) -> Vec<String> {
    let mut lines = vec![Command::NewGame.display(dialogue.dialect()).to_string()];
    for position in starts(opening) {
        lines.extend([format!("position {position}"), "go depth 1".to_owned()]);
    }
    lines.push(format!(
        "(... the same game repeated {} times ...)",
        n_games - 1
    ));
    lines
}

/// Returns the positions of a game: the start, and one after each move.
fn starts(opening: &Opening) -> impl Iterator<Item = Opening> {
    (0..=opening.moves.len()).map(|plies| opening.prefix(plies))
}

/// Plays an opening with a short search in each position.
fn play(dialogue: &mut Dialogue<'_>, opening: &Opening) -> Checked<()> {
    dialogue.command(&Command::NewGame)?;
    for position in starts(opening) {
        dialogue.answer(&position, "depth 1")?;
    }
    Ok(())
}

fn holdings(dialogue: &Dialogue<'_>) -> Checked<Holdings> {
    let id = dialogue.engine.process.id();
    read_holdings(id).ok_or_else(|| {
        skip!("the memory and handles of a process cannot be read on this system: expected /proc")
    })
}

/// Reads `/proc` (Linux).
fn read_holdings(id: u32) -> Option<Holdings> {
    let folder = PathBuf::from(format!("/proc/{id}"));
    let status = fs::read_to_string(folder.join("status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(Holdings {
        kib: line.split_whitespace().nth(1)?.parse().ok()?,
        handles: fs::read_dir(folder.join("fd")).ok()?.count(),
    })
}
