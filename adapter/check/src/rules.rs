//! Steps: compare the engine's answers about positions of random games with the rules.
//!
//! Each step plays the same games, which depend on the seed, and asks one question after every move. The game that
//! shows the first difference is shrunk by deleting moves.

use std::time::{Duration, Instant};

use kit::dyn_history::expected_reply;
use record::registry::Rules;

use crate::contrast::{difference, is_reordered};
use crate::games::{Bias, play};
use crate::prelude::*;
use crate::query::divide;
use crate::report::Verdict;
use crate::shrink::shrink;

/// Maximum length of a game in plies.
const LONGEST_GAME: usize = 120;
/// Time limit of a step; slow engines are tested on fewer games.
const TIME_LIMIT: Duration = Duration::from_secs(4);
/// Time limit for shortening a line that shows a difference.
const SHRINK_LIMIT: Duration = Duration::from_secs(5);
/// Maximum number of leaves of one perft.
const LEAVES: u64 = 3000;
const DEEPEST: u32 = 3;
/// Interval in plies between perft questions, which take longer than queries.
const PLIES_A_COUNT: usize = 5;

/// The question that a step asks.
#[derive(Debug, Clone, Copy)]
enum Question {
    Query(Query),
    Perft,
}

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
    let mut rng = dialogue.rng(0x6A);
    let mut comparison = Comparison {
        rules,
        question,
        dialogue,
        deadline: Instant::now() + TIME_LIMIT,
        n_refused: 0,
    };
    let mut n_positions = 0;
    let mut n_games = 0;
    for index in 0..case.subject.games {
        let (round, bias) = (index / Bias::IN_TURN.len(), index % Bias::IN_TURN.len());
        let mut game = play(rules, Bias::IN_TURN[bias], LONGEST_GAME, &mut rng);
        // Half of the games of each bias start from a position string.
        if round % 2 == 1 {
            game = from_ply(rules, &game, game.moves.len() / 2);
        }
        n_positions += comparison.compare_game(&game)?;
        n_games += 1;
        if comparison.is_late() {
            break;
        }
    }
    let mut text = format!("{n_positions} positions of {n_games} games");
    if let (Some(step), n @ 1..) = (case.refused_in, comparison.n_refused) {
        text += &format!(", {n} of them up to a position that the engine refuses, as in {step}");
    }
    match n_positions {
        0 => Err(skip!("{text}")),
        _ => Ok(text),
    }
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

/// Compares one engine with the rules.
struct Comparison<'a, 'b> {
    rules: &'a Rules,
    question: Question,
    dialogue: &'a mut Dialogue<'b>,
    deadline: Instant,
    /// Games that ended at a position that the engine refuses, after an earlier step reported one.
    n_refused: usize,
}

impl Comparison<'_, '_> {
    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Asks the question after every move of a game. Returns the number of positions.
    fn compare_game(&mut self, game: &Opening) -> Checked<usize> {
        let stride = match self.question {
            Question::Perft => PLIES_A_COUNT,
            Question::Query(_) => 1,
        };
        // The stride is aligned so that the final position is included.
        let first = game.moves.len() % stride;
        let mut n_positions = 0;
        for plies in (first..=game.moves.len()).step_by(stride) {
            let opening = game.prefix(plies);
            if let Some(found) = self.compare_position(&opening)? {
                if found.is_refusal && self.dialogue.case.refused_in.is_some() {
                    self.n_refused += 1;
                    break;
                }
                return Err(self.shrink_difference(&opening, &found));
            }
            n_positions += 1;
            if self.is_late() {
                break;
            }
        }
        Ok(n_positions)
    }

    /// Creates the finding with a shrunk list of moves, or with a position string if that is shorter.
    fn shrink_difference(&mut self, opening: &Opening, found: &Finding) -> Finding {
        let fen = &opening.fen;
        let with = |moves: &[String]| Opening {
            fen: fen.clone(),
            moves: moves.to_vec(),
        };
        let deadline = Instant::now() + SHRINK_LIMIT;
        let shrunk = shrink(opening.moves.clone(), |moves| {
            Ok::<_, Finding>(Instant::now() < deadline && self.shows(&with(moves), found)?)
        });
        let mut shortest = shrunk.map_or_else(|_| opening.clone(), |moves| with(&moves));
        for candidate in from_strings(self.rules, &shortest) {
            if self.shows(&candidate, found).unwrap_or(false) {
                shortest = candidate;
                break;
            }
        }
        match self.compare_position(&shortest) {
            Ok(Some(finding)) => finding,
            Ok(None) => fail!("the answers vary between runs: position {opening}"),
            Err(finding) => finding,
        }
    }

    /// `true` if the engine shows the same kind of fault in this position, which is `false` for an illegal one.
    fn shows(&mut self, opening: &Opening, found: &Finding) -> Checked<bool> {
        if self.rules.open(opening).is_err() {
            return Ok(false);
        }
        let shown = self.compare_position(opening)?;
        Ok(shown.is_some_and(|shown| shown.is_refusal == found.is_refusal))
    }

    /// Asks the question about one position. Returns the finding about a wrong answer or a refused position, if any.
    fn compare_position(&mut self, opening: &Opening) -> Checked<Option<Finding>> {
        let (line, expected) = self.expected(opening);
        let lines = format!("position {opening}\n{line}");
        self.dialogue.forget_position();
        let output = match self.question {
            Question::Query(_) => self.dialogue.ask(&lines)?,
            Question::Perft => self.dialogue.count(&lines)?,
        };
        let has_error = output.iter().any(|output| output.error().is_some());
        let mut words = Vec::new();
        for output in output {
            match output.reply {
                Some(Reply::Response(text)) => words.push(text),
                Some(Reply::Error(why)) => words.push(format!("info error {why}")),
                Some(Reply::Divide { .. } | Reply::PerftTotal(_)) => words.push(output.line),
                _ => {}
            }
        }
        let actual = words.join(" ");
        if actual.split_whitespace().eq(expected.split_whitespace()) {
            return Ok(None);
        }
        // The error may concern the position or the question.
        if has_error && let Some(why) = self.dialogue.refuses(opening)? {
            return Ok(Some(self.dialogue.refusal(opening, &why)));
        }
        let mut finding = difference(self.dialogue, opening, line, &actual, &expected);
        if is_reordered(&actual, &expected) {
            finding.verdict = Verdict::Warn;
        }
        Ok(Some(finding))
    }

    /// Returns the command that asks the question, and the correct answer.
    fn expected(&self, opening: &Opening) -> (String, String) {
        let mut board = board(self.rules, opening);
        match self.question {
            Question::Query(query) => {
                let answer = expected_reply(&*board, query).unwrap_or_default();
                (format!("query {}", query.word()), answer)
            }
            Question::Perft => {
                let depth = depth(board.moves().len() as u64);
                let shares = board.divide(depth);
                let total: u64 = shares.iter().map(|(_, nodes)| nodes).sum();
                let counts = shares
                    .iter()
                    .map(|(code, nodes)| format!("{code}: {nodes}"));
                let words: Vec<String> = counts.chain([format!("nodes {total}")]).collect();
                (format!("go perft {depth}"), words.join(" "))
            }
        }
    }
}

/// The perft depth for a position with `n_moves` legal moves.
fn depth(n_moves: u64) -> u32 {
    (2..=DEEPEST)
        .rev()
        .find(|depth| n_moves.pow(*depth) <= LEAVES)
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stay_small() {
        assert_eq!([depth(10), depth(50), depth(1000), depth(0)], [3, 2, 1, 3]);
    }
}
