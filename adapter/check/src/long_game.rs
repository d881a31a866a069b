//! Steps: many searches in one process, in long games and in short ones that do not leak memory or handles.

use std::time::{Duration, Instant};
use std::{fs, iter};

use fastrand::Rng;

use crate::games::{Bias, play};
use crate::prelude::*;
use crate::report::Verdict;
use crate::shrink::shrink;

const N_GAMES: usize = 3;
/// Maximum length of a game in plies.
const LONGEST_GAME: usize = 100;
/// With known rules, games shorter than `SHORT` plies are drawn again, up to `ATTEMPTS` times.
const SHORT: usize = 80;
const ATTEMPTS: usize = 20;
/// No game begins after `TIME_LIMIT` and none continues after `HARD_LIMIT`, so slow engines play fewer games.
const TIME_LIMIT: Duration = Duration::from_secs(8);
const HARD_LIMIT: Duration = Duration::from_secs(20);
/// Limits of each search.
const LIMITS: &str = "depth 1";

/// After every move of games longer than 60 plies, the engine answers with a legal move. One process performs all
/// searches, so that a fault that only occurs after many searches is found too.
pub(super) fn long_games(dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut rng = dialogue.rng(0x106);
    let started_at = Instant::now();
    let mut searched = Vec::new();
    let (mut n_games, mut longest) = (0, 0);
    while n_games < N_GAMES && (n_games == 0 || started_at.elapsed() < TIME_LIMIT) {
        let game = long_game(dialogue, &mut rng)?;
        n_games += 1;
        for plies in 0..=game.moves.len() {
            let opening = game.prefix(plies);
            if started_at.elapsed() > HARD_LIMIT || dialogue.is_over(&opening)? {
                break;
            }
            longest = longest.max(plies);
            let answered = dialogue.answer(&opening, LIMITS);
            searched.push(opening);
            if let Err(finding) = answered {
                return Err(reproduced(dialogue, &searched, finding));
            }
        }
    }
    let n = searched.len();
    Ok(format!(
        "{n} searches in {n_games} games of up to {longest} plies"
    ))
}

/// Draws a long random game by the rules or, if they are unknown, a random game from the engine's answers.
fn long_game(dialogue: &mut Dialogue<'_>, rng: &mut Rng) -> Checked<Opening> {
    let Ok(rules) = dialogue.case.rules() else {
        return Ok(dialogue.random_game(LONGEST_GAME, rng)?.0);
    };
    let mut longest = Opening::default();
    for _ in 0..ATTEMPTS {
        let game = play(rules, Bias::Length, LONGEST_GAME, rng);
        longest = std::cmp::max_by_key(longest, game, |game| game.moves.len());
        if longest.moves.len() >= SHORT {
            break;
        }
    }
    Ok(longest)
}

/// Adds the shortest input that shows the fault in a new process: the last search alone, the same number of searches of
/// the start position, or a subset of the searches made.
fn reproduced(dialogue: &mut Dialogue<'_>, searched: &[Opening], finding: Finding) -> Finding {
    let finding = dialogue.with_evidence(finding);
    if finding.verdict != Verdict::Fail || dialogue.case.subject.stop.is_asked() {
        return finding;
    }
    let n = searched.len();
    let last = &searched[n - 1];
    let rules = dialogue.case.rules().ok();
    let string = rules.map(|rules| Opening::at(board(rules, last).fen()));
    let alone = string
        .into_iter()
        .chain([last.clone()])
        .map(|opening| vec![opening]);
    let mut candidates = alone.chain([vec![Opening::default(); n], searched.to_vec()]);
    let Some(mut shortest) = candidates.find_map(|searched| shown_again(dialogue, &searched))
    else {
        let text = format!("{} (not reproduced in a new process)", finding.text);
        return Finding { text, ..finding };
    };
    if shortest.windows(2).any(|pair| pair[0] != pair[1]) {
        shortest = shrink(shortest, |searched| {
            shown_again(dialogue, searched).is_some_and(|shown| shown == searched)
        });
    }
    let lines = shortest.chunk_by(|one, next| one == next).flat_map(|same| {
        let searches = same.iter().map(|_| format!("go {LIMITS}"));
        iter::once(format!("position {}", same[0])).chain(searches)
    });
    // A new process is in the first position.
    let lines = lines.skip_while(|line| line == "position startpos");
    let text = match shortest.as_slice() {
        [short] => {
            let [last, short] = [last, short].map(|opening| format!("position {opening}"));
            finding.text.replace(&last, &short)
        }
        searched => {
            let n_shortest = searched.len();
            format!(
                "search {n} of a process: {}; {n_shortest} searches reproduce it",
                finding.text
            )
        }
    };
    dialogue.shown_by(Finding { text, ..finding }, lines.collect())
}

/// The searches up to the one that shows a fault in a new process, if any does.
fn shown_again(dialogue: &mut Dialogue<'_>, searched: &[Opening]) -> Option<Vec<Opening>> {
    dialogue.again().ok()?;
    let mut openings = searched.iter();
    let wrong = openings.position(|opening| dialogue.answer(opening, LIMITS).is_err())?;
    Some(searched[..=wrong].to_vec())
}

/// Number of games that must not leak.
const N_REPEATED: usize = 200;
/// Number of games after which permanent allocations should be complete.
const N_WARM: usize = 20;
/// Time limit of the repeated games; slow engines play fewer.
const REPEATED_LIMIT: Duration = Duration::from_secs(10);
/// Allowed growth of memory in KiB, in addition to half of the memory in use.
const SPARE_KIB: u64 = 16 * 1024;
const SPARE_HANDLES: usize = 4;

/// After 200 games in one process, memory and handles have not grown beyond the allowance since game 20.
pub(super) fn repeated_games(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(4, 110)?;
    let positions = (0..=opening.moves.len()).map(|plies| opening.prefix(plies));
    let started_at = Instant::now();
    let mut warm = None;
    let mut n_games = 0;
    while n_games < N_REPEATED && started_at.elapsed() < REPEATED_LIMIT {
        dialogue.command(&Command::NewGame)?;
        for position in positions.clone() {
            dialogue.answer(&position, "depth 1")?;
        }
        n_games += 1;
        if n_games == N_WARM {
            warm = Some(holdings(dialogue)?);
        }
    }
    let warm = warm.ok_or_else(|| skip!("{n_games} games took {} s", REPEATED_LIMIT.as_secs()))?;
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
    let n_more = n_games - 1;
    lines.push(format!("(... the same game repeated {n_more} times ...)"));
    Err(dialogue.shown_by(fail!("{text}"), lines))
}

/// Resident memory of the process in KiB, and its number of handles, from `/proc` (Linux).
fn holdings(dialogue: &Dialogue<'_>) -> Checked<(u64, usize)> {
    let folder = format!("/proc/{}", dialogue.engine.process.id());
    let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
    let memory = |line: &str| {
        let kib = line.strip_prefix("VmRSS:")?;
        kib.split_whitespace().next()?.parse().ok()
    };
    let kib: Option<u64> = status.lines().find_map(memory);
    let handles = fs::read_dir(format!("{folder}/fd")).map(Iterator::count);
    kib.zip(handles.ok()).ok_or_else(|| {
        skip!("the memory and handles of a process cannot be read on this system: expected /proc")
    })
}
