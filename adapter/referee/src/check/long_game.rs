//! Step: long games with a small search after every move, in one process.

use std::time::{Duration, Instant};

use fastrand::Rng;

use super::case::{Case, board};
use super::dialogue::Dialogue;
use super::games::{Bias, play};
use super::report::{Finding, Outcome, Verdict};
use super::shrink::shrink;
use crate::opening::Opening;

const N_GAMES: usize = 3;
/// Games are cut off at this ply.
const LONGEST_GAME: usize = 100;
/// Games with fewer plies are drawn again, if the rules are known, up to this number of times.
const SHORT: usize = 80;
const ATTEMPTS: usize = 20;
/// No game begins after the first time, and none goes on after the second, so slow engines play fewer.
const TIME_LIMIT: Duration = Duration::from_secs(8);
const HARD_LIMIT: Duration = Duration::from_secs(20);
/// How long shorter ways to show a fault are looked for.
const SHRINK_LIMIT: Duration = Duration::from_secs(5);
/// The search of each position.
const LIMITS: &str = "depth 1";

/// Games beyond 60 plies: after every move the engine answers a legal move. All are searched in one process, so a fault that
/// needs many searches shows too.
pub(super) fn long_games(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let mut rng = case.rng(0x106);
    let started_at = Instant::now();
    let mut searched = Vec::new();
    let (mut n_games, mut longest) = (0, 0);
    while n_games < N_GAMES && (n_games == 0 || started_at.elapsed() < TIME_LIMIT) {
        let game = long_game(case, dialogue, &mut rng)?;
        n_games += 1;
        for plies in 0..=game.moves.len() {
            let opening = after(&game, plies);
            if started_at.elapsed() > HARD_LIMIT || case.is_over(dialogue, &opening)? {
                break;
            }
            longest = longest.max(plies);
            searched.push(opening);
            if let Err(finding) = search_last(case, dialogue, &searched) {
                return Err(reproduced(case, dialogue, &searched, finding));
            }
        }
    }
    let n_searches = searched.len();
    Ok(format!(
        "{n_searches} searches in {n_games} games of up to {longest} plies"
    ))
}

/// The start of a game.
fn after(game: &Opening, plies: usize) -> Opening {
    Opening {
        fen: game.fen.clone(),
        moves: game.moves[..plies].to_vec(),
    }
}

/// A long random game by the rules; without them, a random game by the engine's own answers.
fn long_game(case: &Case<'_>, dialogue: &mut Dialogue, rng: &mut Rng) -> Result<Opening, Finding> {
    if let Ok(rules) = case.rules() {
        let mut games = (0..ATTEMPTS).map(|_| play(rules, Bias::Length, LONGEST_GAME, rng));
        let mut longest = games.next().unwrap_or_default();
        while longest.moves.len() < SHORT
            && let Some(game) = games.next()
        {
            longest = std::cmp::max_by_key(longest, game, |game| game.moves.len());
        }
        return Ok(longest);
    }
    let mut game = Opening::default();
    while game.moves.len() < LONGEST_GAME {
        let Some(code) = case.random_move(dialogue, &game, rng)? else {
            break;
        };
        game.moves.push(code);
    }
    Ok(game)
}

/// Searches the last of these positions.
fn search_last(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    searched: &[Opening],
) -> Result<(), Finding> {
    let Some(opening) = searched.last() else {
        return Ok(());
    };
    dialogue.set(opening)?;
    let found = dialogue.go(LIMITS)?.answered()?;
    case.ensure_legal(dialogue, opening, &found.code)
}

/// The finding with the fewest lines that show it in a fresh process: the last search alone, as many of the start position, or
/// some of those that were made.
fn reproduced(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    searched: &[Opening],
    finding: Finding,
) -> Finding {
    let finding = dialogue.with_evidence(finding);
    if finding.verdict != Verdict::Fail || case.subject.stop.is_asked() {
        return finding;
    }
    let n = searched.len();
    match shortest(case, dialogue, searched) {
        Some(shortest) => with_lines(dialogue, finding, n, &shortest),
        None => Finding {
            text: format!(
                "{} (it does not show again in a fresh process)",
                finding.text
            ),
            ..finding
        },
    }
}

fn shortest(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    searched: &[Opening],
) -> Option<Vec<Opening>> {
    let n = searched.len();
    let mut shows = |searched: &[Opening]| shows_again(case, dialogue, searched);
    if shows(&searched[n - 1..]).is_some() {
        return Some(searched[n - 1..].to_vec());
    }
    let at_start = |n: usize| vec![Opening::default(); n];
    if let Some(n) = shows(&at_start(n)) {
        return Some(at_start(n));
    }
    let n = shows(searched)?;
    let deadline = Instant::now() + SHRINK_LIMIT;
    let shrunk = shrink(searched[..n].to_vec(), |searched| {
        let is_in_time = Instant::now() < deadline;
        Ok::<_, ()>(is_in_time && shows(searched) == Some(searched.len()))
    });
    shrunk.ok()
}

/// The number of the search that shows a fault in a fresh process; `None` if none does.
fn shows_again(case: &Case<'_>, dialogue: &mut Dialogue, searched: &[Opening]) -> Option<usize> {
    dialogue.restart(&case.options).ok()?;
    let is_wrong = |n: &usize| search_last(case, dialogue, &searched[..*n]).is_err();
    (1..=searched.len()).find(is_wrong)
}

/// The finding with the lines that make these searches.
fn with_lines(
    dialogue: &Dialogue,
    finding: Finding,
    n_before: usize,
    shortest: &[Opening],
) -> Finding {
    let mut lines: Vec<String> = dialogue.transcript().setup_lines().collect();
    let mut at = Opening::default();
    for opening in shortest {
        if *opening != at {
            lines.push(format!("position {opening}"));
            at = opening.clone();
        }
        lines.push(format!("go {LIMITS}"));
    }
    let text = match shortest.len() {
        1 => finding.text,
        n => format!(
            "search {n_before} of a process: {}; {n} searches show it again",
            finding.text
        ),
    };
    Finding {
        text,
        lines: Some(lines),
        ..finding
    }
}

impl Case<'_> {
    /// Whether the rules say that the game is over. Without rules a game is generated up to its end alone.
    fn is_over(&self, dialogue: &mut Dialogue, opening: &Opening) -> Result<bool, Finding> {
        match self.rules() {
            Ok(rules) => Ok(board(rules, opening).outcome().is_some()),
            Err(_) => {
                dialogue.set(opening)?;
                let answer = dialogue.query(protocol::Query::GameOver)?;
                Ok(answer.as_deref() == Some("true"))
            }
        }
    }
}
