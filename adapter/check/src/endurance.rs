//! Step: many games in one process do not leak memory or handles.

use std::fs;
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

/// After 200 games in one process, memory and handles have not grown beyond the allowance since game 20.
pub(super) fn games(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(4, 110)?;
    let positions = (0..=opening.moves.len()).map(|plies| opening.prefix(plies));
    let started_at = Instant::now();
    let mut warm = None;
    let mut n_games = 0;
    while n_games < N_GAMES && started_at.elapsed() < LONGEST {
        dialogue.command(&Command::NewGame)?;
        for position in positions.clone() {
            dialogue.answer(&position, "depth 1")?;
        }
        n_games += 1;
        if n_games == N_WARM {
            warm = Some(holdings(dialogue)?);
        }
    }
    let warm = warm.ok_or_else(|| skip!("{n_games} games took {} s", LONGEST.as_secs()))?;
    let (warm_kib, warm_handles) = warm;
    let (kib, handles) = holdings(dialogue)?;
    let (warm_mib, mib) = (warm_kib / 1024, kib / 1024);
    let text = format!(
        "after {N_WARM} games {warm_mib} MiB and {warm_handles} handles, \
         after {n_games} games {mib} MiB and {handles} handles"
    );
    if kib <= warm_kib + warm_kib / 2 + SPARE_KIB && handles <= warm_handles + SPARE_HANDLES {
        return Ok(text);
    }
    let mut lines = vec![Command::NewGame.display(dialogue.dialect()).to_string()];
    lines.extend(positions.flat_map(|at| [format!("position {at}"), "go depth 1".to_owned()]));
    lines.push(format!(
        "(... the same game repeated {} times ...)",
        n_games - 1
    ));
    Err(dialogue.shown_by(fail!("{text}"), lines))
}

/// Resident memory of the process in KiB, and its number of handles, from `/proc` (Linux).
fn holdings(dialogue: &Dialogue<'_>) -> Checked<(u64, usize)> {
    let folder = format!("/proc/{}", dialogue.engine.process.id());
    let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
    let mut memory = status
        .lines()
        .filter_map(|line| line.strip_prefix("VmRSS:"));
    let kib = memory
        .next()
        .and_then(|line| line.split_whitespace().next()?.parse().ok());
    let handles = fs::read_dir(format!("{folder}/fd")).map(Iterator::count);
    kib.zip(handles.ok()).ok_or_else(|| {
        skip!("the memory and handles of a process cannot be read on this system: expected /proc")
    })
}
