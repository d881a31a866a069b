//! Steps: compare the engine's answers about positions of random games with the rules.
//!
//! Each step plays the same games, which depend on the seed, and asks one question after every move. The game that
//! shows the first difference is shrunk by deleting moves.

use std::time::{Duration, Instant};

use record::registry::Rules;

use crate::compare::{CheckedAnswer, Question};
use crate::games::Bias;
use crate::prelude::*;
use crate::query::divide;
use crate::report::FindingKind;
use crate::shrink::shrink;

/// Time limit of a step; slow engines are tested on fewer games.
const TIME_LIMIT: Duration = Duration::from_secs(4);
/// Time limit for shortening a line that shows a difference.
const SHRINK_LIMIT: Duration = Duration::from_secs(5);
/// Interval in plies between perft questions, which take longer than queries.
const PLIES_A_COUNT: usize = 5;

/// Compares all answers to a query with the rules.
pub(super) fn compare(dialogue: &mut Dialogue<'_>, query: Query) -> Outcome {
    dialogue.case.rules()?;
    dialogue.case.needs(query)?;
    compare_games(dialogue, Question::Query(query))
}

/// Compares the counts of `go perft` with the rules, if the engine supports it.
pub(super) fn compare_counts(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.case.rules()?;
    divide(dialogue, 1)?;
    compare_games(dialogue, Question::Perft)
}

fn compare_games(dialogue: &mut Dialogue<'_>, question: Question) -> Outcome {
    let case = dialogue.case;
    let rules = case.rules()?;
    let deadline = Instant::now() + TIME_LIMIT;
    let stride = match question {
        Question::Perft => PLIES_A_COUNT,
        Question::Query(_) => 1,
    };
    let (mut n_positions, mut n_games, mut n_refused) = (0, 0, 0);
    let is_late = || Instant::now() >= deadline;
    for index in 0..case.subject.games {
        let mut game = case.random_game(rules, index);
        // Half of the games of each bias start from a position string.
        if index / Bias::IN_TURN.len() % 2 == 1 {
            game = from_ply(rules, &game, game.moves.len() / 2);
        }
        // The stride is aligned so that the final position is included.
        for plies in (game.moves.len() % stride..=game.moves.len()).step_by(stride) {
            let opening = game.prefix(plies);
            match dialogue.compare(rules, &opening, &[question], CheckedAnswer::is_right) {
                Ok(()) => n_positions += 1,
                Err(found)
                    if found.kind == FindingKind::Refusal && case.refused_in.get().is_some() =>
                {
                    n_refused += 1;
                    break;
                }
                Err(found) if found.kind == FindingKind::Other => return Err(found),
                Err(found) => return Err(shrunk(dialogue, rules, question, &opening, found.kind)),
            }
            if is_late() {
                break;
            }
        }
        n_games += 1;
        if is_late() {
            break;
        }
    }
    let mut text = format!("{n_positions} positions of {n_games} games");
    if let (Some(step), n @ 1..) = (case.refused_in.get(), n_refused) {
        text += &format!(", {n} of them up to a position that the engine refuses, as in {step}");
    }
    skip_unless!(n_positions > 0, "{text}");
    Ok(text)
}

/// The opening with the position after some of its moves as a position string.
fn from_ply(rules: &Rules, opening: &Opening, plies: usize) -> Opening {
    Opening {
        fen: Some(board(rules, &opening.prefix(plies)).fen()),
        moves: opening.moves[plies..].to_vec(),
    }
}

/// Shorter lines for the same position: a position string with as few of the last moves as possible first.
fn from_strings(rules: &Rules, opening: &Opening) -> Vec<Opening> {
    let n_moves = opening.moves.len();
    let kept = std::iter::successors(Some(0), |n| Some((2 * n).max(1)));
    let kept = kept.take_while(|n| *n < n_moves);
    let candidates = kept.map(|n| from_ply(rules, opening, n_moves - n));
    let longest = opening.to_string().len();
    let is_shorter = |candidate: &Opening| candidate.to_string().len() < longest;
    candidates.filter(is_shorter).collect()
}

/// The finding about a fault of this kind, with as few moves as show it, or with a position string if that is shorter.
fn shrunk(
    dialogue: &mut Dialogue<'_>,
    rules: &Rules,
    question: Question,
    opening: &Opening,
    kind: FindingKind,
) -> Finding {
    let deadline = Instant::now() + SHRINK_LIMIT;
    let mut compare =
        |opening: &Opening| dialogue.compare(rules, opening, &[question], CheckedAnswer::is_right);
    // A line with a move that became illegal shows nothing.
    let mut shows = |opening: &Opening| {
        rules.open(opening).is_ok() && compare(opening).is_err_and(|shown| shown.kind == kind)
    };
    let with = |moves: &[String]| Opening {
        fen: opening.fen.clone(),
        moves: moves.to_vec(),
    };
    let moves = shrink(opening.moves.clone(), |moves| {
        Instant::now() < deadline && shows(&with(moves))
    });
    let mut strings = from_strings(rules, &with(&moves)).into_iter();
    let shortest = strings.find(|string| shows(string));
    let shortest = shortest.unwrap_or_else(|| with(&moves));
    let again = compare(&shortest);
    again
        .err()
        .unwrap_or_else(|| fail!("the answers vary between runs: position {opening}"))
}
