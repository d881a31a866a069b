//! Step: long games with a small search after every move, in one process.

use std::time::{Duration, Instant};

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
/// Time limit for finding shorter input that shows a fault.
const SHRINK_LIMIT: Duration = Duration::from_secs(5);
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
    if let Ok(rules) = dialogue.case.rules() {
        let mut games = (0..ATTEMPTS).map(|_| play(rules, Bias::Length, LONGEST_GAME, rng));
        let mut longest = games.next().unwrap_or_default();
        while longest.moves.len() < SHORT
            && let Some(game) = games.next()
        {
            longest = std::cmp::max_by_key(longest, game, |game| game.moves.len());
        }
        return Ok(longest);
    }
    Ok(dialogue.random_game(LONGEST_GAME, rng)?.0)
}

/// Adds the shortest input that shows the fault in a new process: the last search alone, the same number of searches of
/// the start position, or a subset of the searches made.
fn reproduced(dialogue: &mut Dialogue<'_>, searched: &[Opening], finding: Finding) -> Finding {
    let finding = dialogue.with_evidence(finding);
    if finding.verdict != Verdict::Fail || dialogue.case.subject.stop.is_asked() {
        return finding;
    }
    match shortest(dialogue, searched) {
        Some(shortest) => with_lines(dialogue, finding, searched, &shortest),
        None => Finding {
            text: format!("{} (not reproduced in a new process)", finding.text),
            ..finding
        },
    }
}

fn shortest(dialogue: &mut Dialogue<'_>, searched: &[Opening]) -> Option<Vec<Opening>> {
    let n = searched.len();
    let rules = dialogue.case.rules().ok();
    let mut shows = |searched: &[Opening]| shows_again(dialogue, searched);
    if shows(&searched[n - 1..]).is_some() {
        let last = searched[n - 1..].to_vec();
        let short = rules.map(|rules| vec![Opening::at(board(rules, &last[0]).fen())]);
        let short = short.filter(|short| shows(short).is_some());
        return Some(short.unwrap_or(last));
    }
    let at_start = |n: usize| vec![Opening::default(); n];
    if let Some(n) = shows(&at_start(n)) {
        return Some(at_start(n));
    }
    let n = shows(searched)?;
    let deadline = Instant::now() + SHRINK_LIMIT;
    Some(shrink(searched[..n].to_vec(), |searched| {
        Instant::now() < deadline && shows(searched) == Some(searched.len())
    }))
}

/// Returns the number of the search that shows a fault in a new process, or `None`.
fn shows_again(dialogue: &mut Dialogue<'_>, searched: &[Opening]) -> Option<usize> {
    dialogue.restart(&dialogue.case.options).ok()?;
    let mut searched = searched.iter();
    let wrong = searched.position(|opening| dialogue.answer(opening, LIMITS).is_err());
    wrong.map(|index| index + 1)
}

/// Adds the input lines of these searches to the finding.
fn with_lines(
    dialogue: &Dialogue<'_>,
    finding: Finding,
    searched: &[Opening],
    shortest: &[Opening],
) -> Finding {
    let mut lines = Vec::new();
    let mut at = Opening::default();
    for opening in shortest {
        if *opening != at {
            lines.push(format!("position {opening}"));
            at = opening.clone();
        }
        lines.push(format!("go {LIMITS}"));
    }
    let n_before = searched.len();
    let text = match (shortest, searched) {
        ([short], [.., last]) => {
            let named = |opening| format!("position {opening}");
            finding.text.replace(&named(last), &named(short))
        }
        _ => format!(
            "search {n_before} of a process: {}; {} searches reproduce it",
            finding.text,
            shortest.len()
        ),
    };
    dialogue.shown_by(Finding { text, ..finding }, lines)
}
