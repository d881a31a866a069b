//! Compares an engine's answers about a position with the rules.
//!
//! Steps compare those about the positions of random games, which depend on the seed: each plays the same games, and asks one
//! question after every move. The game that shows the first difference is shrunk by deleting moves.

use std::time::{Duration, Instant};

use kit::dyn_history::expected_reply;
use record::registry::Rules;
use referee::arbiter::{is_reordered, is_same};

use crate::games::Bias;
use crate::prelude::*;
use crate::query::divide;
use crate::report::Verdict;
use crate::shrink::from_ply;

/// Maximum number of leaves of one perft, and its maximum depth.
const LEAVES: u64 = 3000;
const DEEPEST: u32 = 3;

/// A question about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Query(Query),
    /// `go perft`, as deep as the number of moves allows.
    Perft,
}

/// The queries whose answers depend on the position.
pub(super) const QUERIES: [Question; 5] = [
    Question::Query(Query::P1Turn),
    Question::Query(Query::GameOver),
    Question::Query(Query::Result),
    Question::Query(Query::Moves),
    Question::Query(Query::Fen),
];

/// The queries about the end of the game.
pub(super) const ENDS: [Question; 2] = [
    Question::Query(Query::GameOver),
    Question::Query(Query::Result),
];

/// An answer with the line that asked for it and the right answer.
#[derive(Debug)]
pub(super) struct CheckedAnswer {
    pub(super) question: Question,
    pub(super) line: String,
    pub(super) actual: String,
    pub(super) expected: String,
}

impl CheckedAnswer {
    /// `true` if the answer is right, moves in the order of the rules.
    pub(super) fn is_right(&self) -> bool {
        let (actual, expected) = (&self.actual, &self.expected);
        actual.split_whitespace().eq(expected.split_whitespace())
    }

    /// `true` if the list contains the legal moves and no others, in any order.
    pub(super) fn is_complete(&self) -> bool {
        match self.question {
            Question::Query(query) => is_same(query, &self.actual, &self.expected),
            Question::Perft => self.is_right(),
        }
    }

    /// The finding about a wrong answer in a position.
    pub(super) fn finding(&self, dialogue: &Dialogue<'_>, opening: &Opening) -> Finding {
        let (position, line) = (format!("position {opening}"), self.line.clone());
        let how = contrast(&self.actual, &self.expected);
        let mut finding = fail!("{position}, {line}: {how}");
        finding.kind = FindingKind::WrongAnswer;
        if is_reordered(&items(&self.actual), &items(&self.expected)) {
            finding.verdict = Verdict::Warn;
        }
        dialogue.shown_by(finding, vec![position, line])
    }
}

/// The perft depth for a position with `n_moves` legal moves.
fn depth(n_moves: u64) -> u32 {
    let mut depths = (2..=DEEPEST).rev();
    let depth = depths.find(|depth| n_moves.pow(*depth) <= LEAVES);
    depth.unwrap_or(1)
}

impl Dialogue<'_> {
    /// Sets a position and asks those questions about it that the engine answers, in one write.
    ///
    /// # Errors
    /// The engine rejects the position, or fails.
    pub(super) fn answers_about(
        &mut self,
        rules: &Rules,
        opening: &Opening,
        questions: &[Question],
    ) -> Checked<Vec<CheckedAnswer>> {
        let mut board = board(rules, opening);
        let (mut asked, mut lines) = (Vec::new(), format!("position {opening}"));
        for &question in questions {
            let (line, expected) = match question {
                Question::Query(query) if !self.case.answers(query) => continue,
                Question::Query(query) => {
                    let expected = expected_reply(&*board, query).unwrap_or_default();
                    (format!("query {}", query.word()), expected)
                }
                Question::Perft => {
                    let depth = depth(board.moves().len() as u64);
                    let mut words = Vec::new();
                    let mut each = |code, nodes| words.push(format!("{code}: {nodes}"));
                    let total = board.divide(depth, &|| false, &mut each);
                    words.extend(total.map(|total| format!("nodes {total}")));
                    (format!("go perft {depth}"), words.join(" "))
                }
            };
            lines += &format!("\n{line}");
            asked.push(CheckedAnswer {
                question,
                line,
                actual: String::new(),
                expected,
            });
        }
        self.forget_position();
        let output = match questions {
            [Question::Perft] => self.count(&lines)?,
            _ => self.ask(&lines)?,
        };
        // The error may concern the position or a question.
        if output.iter().any(|output| output.error().is_some())
            && let Some(why) = self.refuses(opening)?
        {
            return Err(self.refusal(opening, &why));
        }
        let mut answers = answers(output);
        // An answer too many is one to the last question.
        let n_rest = answers.len().min(asked.len().saturating_sub(1));
        let last = answers.split_off(n_rest).join(" ");
        for (asked, actual) in asked.iter_mut().zip(answers.into_iter().chain([last])) {
            asked.actual = actual;
        }
        Ok(asked)
    }

    /// Fails if an answer about a position is wrong. Moves may be in any order.
    pub(super) fn compare(
        &mut self,
        rules: &Rules,
        opening: &Opening,
        questions: &[Question],
    ) -> Checked<()> {
        let answers = self.answers_about(rules, opening, questions)?;
        let mut wrong = answers.iter().filter(|answer| !answer.is_complete());
        wrong.try_for_each(|wrong| Err(wrong.finding(self, opening)))
    }
}

/// The responses and errors in an engine's output. All lines of counts are one answer.
fn answers(output: Vec<OutputLine>) -> Vec<String> {
    let (mut answers, mut counts) = (Vec::new(), Vec::new());
    for output in output {
        match output.reply {
            Some(Reply::Response(text)) => answers.push(text),
            Some(Reply::Error(why)) => answers.push(format!("info error {why}")),
            Some(Reply::Divide { .. } | Reply::PerftTotal(_)) => counts.push(output.line),
            _ => {}
        }
    }
    if !counts.is_empty() {
        answers.push(counts.join(" "));
    }
    answers
}

/// Quotes both answers if they are short; otherwise lists the items that only one of them has. An error is a text
/// without items.
fn contrast(actual: &str, expected: &str) -> String {
    const SHORT: usize = 60;
    if let Some(at) = actual.find("info error ") {
        return format!("it answers \"{}\"", excerpt(&actual[at..]));
    }
    if actual.len() <= SHORT && expected.len() <= SHORT {
        let actual = excerpt(actual);
        return format!("it answers \"{actual}\", the rules \"{expected}\"");
    }
    let (actual, expected) = (items(actual), items(expected));
    if is_reordered(&actual, &expected) {
        return "it lists the right moves in a different order".to_owned();
    }
    let only = |word: &str, items: &[String], others: &[String]| {
        let items = items.iter().filter(|item| !others.contains(item)).cloned();
        let items: Vec<String> = items.collect();
        let text = format!("{word} \"{}\"", excerpt(&items.join(", ")));
        (!items.is_empty()).then_some(text)
    };
    let adds = only("it adds", &actual, &expected);
    let lacks = only("it lacks", &expected, &actual);
    let parts = [adds, lacks].into_iter().flatten();
    parts.collect::<Vec<_>>().join(", ")
}

/// Splits an answer into items: words, or the `move: count` pairs of a perft.
fn items(answer: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for word in answer.split_whitespace() {
        match items.last_mut() {
            Some(item) if item.ends_with(':') || item == "nodes" => *item += &format!(" {word}"),
            _ => items.push(word.to_owned()),
        }
    }
    items
}

/// Time limit of a step; slow engines are tested on fewer games.
const TIME_LIMIT: Duration = Duration::from_secs(4);
/// Interval in plies between perft questions, which take longer than queries.
const PLIES_A_COUNT: usize = 5;

/// Compares all answers to a question with the rules, if the engine supports it.
pub(super) fn compare_games(dialogue: &mut Dialogue<'_>, question: Question) -> Outcome {
    let case = dialogue.case;
    let rules = case.rules()?;
    let stride = match question {
        Question::Perft => divide(dialogue, 1).map(|_| PLIES_A_COUNT)?,
        Question::Query(query) => case.needs(query).map(|()| 1)?,
    };
    let deadline = Instant::now() + TIME_LIMIT;
    let judge = |dialogue: &mut Dialogue<'_>, opening: &Opening| {
        let answers = dialogue.answers_about(rules, opening, &[question])?;
        let mut wrong = answers.iter().filter(|answer| !answer.is_right());
        wrong.try_for_each(|wrong| Err(wrong.finding(dialogue, opening)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_contrasted() {
        assert_eq!(items("a1: 3 b2: 4 nodes 7"), ["a1: 3", "b2: 4", "nodes 7"]);
        assert_eq!(items("a1 b2"), ["a1", "b2"]);
        assert_eq!(
            contrast("true", "false"),
            "it answers \"true\", the rules \"false\""
        );
        let long = "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2";
        let text = contrast(&long.replace("c3", "f9"), long);
        assert!(text.contains("\"f9\"") && text.contains("\"c3\""), "{text}");
        assert_eq!(
            contrast("info error no b1 in c3, sorry", long),
            "it answers \"info error no b1 in c3, sorry\""
        );
    }

    #[test]
    fn counts_stay_small() {
        assert_eq!([depth(10), depth(50), depth(1000), depth(0)], [3, 2, 1, 3]);
    }
}
