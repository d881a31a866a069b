//! Steps: compare the engine's answers about positions of random games with the rules.
//!
//! Each step plays the same games, which depend on the seed, and asks one question after every move. The game that
//! shows the first difference is shrunk by deleting moves.

use std::time::{Duration, Instant};

use crate::compare::{CheckedAnswer, Question};
use crate::games::Bias;
use crate::prelude::*;
use crate::query::divide;
use crate::shrink::from_ply;

/// Time limit of a step; slow engines are tested on fewer games.
const TIME_LIMIT: Duration = Duration::from_secs(4);
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
    let judge = |dialogue: &mut Dialogue<'_>, opening: &Opening| {
        dialogue.compare(rules, opening, &[question], CheckedAnswer::is_right)
    };
    let (mut n_positions, mut n_games, mut n_refused) = (0, 0, 0);
    while n_games < case.subject.games && Instant::now() < deadline {
        let mut game = case.random_game(rules, n_games);
        // Half of the games of each bias start from a position string.
        if n_games / Bias::IN_TURN.len() % 2 == 1 {
            game = from_ply(rules, &game, game.moves.len() / 2);
        }
        n_games += 1;
        // The stride is aligned so that the final position is included.
        for plies in (game.moves.len() % stride..=game.moves.len()).step_by(stride) {
            let opening = game.prefix(plies);
            match judge(dialogue, &opening).map_err(|found| (found.kind, found)) {
                Ok(()) => n_positions += 1,
                Err((FindingKind::Refusal, _)) if case.refused_in.get().is_some() => {
                    n_refused += 1;
                    break;
                }
                Err((FindingKind::Other, found)) => return Err(found),
                Err((_, found)) => return Err(dialogue.shrunk(rules, &opening, &found, judge)),
            }
            if Instant::now() >= deadline {
                break;
            }
        }
    }
    let mut text = format!("{n_positions} positions of {n_games} games");
    if let (Some(step), n @ 1..) = (case.refused_in.get(), n_refused) {
        text += &format!(", {n} of them up to a position that the engine refuses, as in {step}");
    }
    skip_unless!(n_positions > 0, "{text}");
    Ok(text)
}
