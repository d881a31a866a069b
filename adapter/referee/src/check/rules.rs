//! Steps: the engine's answers about positions, held against the rules along random games.
//!
//! Each step plays the same games, the seed's, and asks one question after every move. The first difference is shrunk
//! to the shortest list of moves that shows it.

use std::time::{Duration, Instant};

use protocol::{Query, Reply};

use super::case::{Case, board};
use super::contrast::{contrast, is_reordered};
use super::dialogue::Dialogue;
use super::games::{Bias, play};
use super::query::divide;
use super::report::{Finding, Outcome, fail, warn};
use super::shrink::shrink;
use crate::arbiter::truth;
use crate::opening::Opening;
use crate::registry::Rules;

/// Games are broken off here.
const LONGEST_GAME: usize = 120;
/// Slow engines are asked about fewer games.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most leaves that an engine is asked to count at once.
const LEAVES: u64 = 3000;
const DEEPEST: u32 = 3;
/// Counting takes longer than other questions, so it is done every so many plies.
const PLIES_A_COUNT: usize = 5;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Query(Query),
    Perft,
}

/// Two answers that should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Difference {
    /// The line that asks.
    line: String,
    said: String,
    truth: String,
}

/// Holds all answers to one question against the rules.
pub(super) fn compare(case: &Case<'_>, dialogue: &mut Dialogue, question: Question) -> Outcome {
    let rules = case.rules()?;
    if let Question::Query(query) = question {
        case.needs(query)?;
    }
    if question == Question::Perft {
        // Where this is skipped, there is nothing to compare.
        divide(dialogue, 1)?;
    }
    let mut contest = Contest {
        rules,
        question,
        dialogue,
        deadline: Instant::now() + PATIENCE,
    };
    let mut rng = case.rng(0x6A);
    let mut n_positions = 0;
    let mut n_games = 0;
    for index in 0..case.subject.games {
        let (round, bias) = (index / Bias::ALL.len(), index % Bias::ALL.len());
        let mut game = play(rules, Bias::ALL[bias], LONGEST_GAME, &mut rng);
        // Half of the games of each kind begin with the string of a position on their way.
        if round % 2 == 1 {
            game = from_the_middle(rules, &game);
        }
        n_positions += contest.follow(&game)?;
        n_games += 1;
        if contest.is_late() {
            break;
        }
    }
    Ok(format!("{n_positions} positions of {n_games} games"))
}

/// The second half of a game, told from a position string.
fn from_the_middle(rules: &Rules, game: &Opening) -> Opening {
    let (before, after) = game.moves.split_at(game.moves.len() / 2);
    let moves = before.to_vec();
    let middle = board(rules, &Opening { fen: None, moves });
    Opening {
        fen: Some(middle.fen()),
        moves: after.to_vec(),
    }
}

/// One engine against the rules.
struct Contest<'a> {
    rules: &'a Rules,
    question: Question,
    dialogue: &'a mut Dialogue,
    deadline: Instant,
}

impl Contest<'_> {
    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Asks after every move of a game; how often.
    fn follow(&mut self, game: &Opening) -> Result<usize, Finding> {
        let stride = match self.question {
            Question::Perft => PLIES_A_COUNT,
            Question::Query(_) => 1,
        };
        // Whatever the stride, the end of the game is asked about.
        let first = game.moves.len() % stride;
        let mut n_positions = 0;
        for plies in (first..=game.moves.len()).step_by(stride) {
            let opening = Opening {
                fen: game.fen.clone(),
                moves: game.moves[..plies].to_vec(),
            };
            if self.differ(&opening)?.is_some() {
                return Err(self.show(&opening));
            }
            n_positions += 1;
            if self.is_late() {
                break;
            }
        }
        Ok(n_positions)
    }

    /// The finding, with the shortest list of moves that shows it.
    fn show(&mut self, opening: &Opening) -> Finding {
        let fen = &opening.fen;
        let with = |moves: &[String]| Opening {
            fen: fen.clone(),
            moves: moves.to_vec(),
        };
        let shrunk = shrink(opening.moves.clone(), |moves| {
            let candidate = with(moves);
            let is_worth_asking = !self.is_late() && self.rules.open(&candidate).is_ok();
            Ok::<_, Finding>(is_worth_asking && self.differ(&candidate)?.is_some())
        });
        let shortest = shrunk.map_or_else(|_| opening.clone(), |moves| with(&moves));
        match self.differ(&shortest) {
            Ok(Some(difference)) => self.tell(&shortest, &difference),
            Ok(None) => fail(format!(
                "answers differ from time to time: position {opening}"
            )),
            Err(finding) => finding,
        }
    }

    fn tell(&self, opening: &Opening, difference: &Difference) -> Finding {
        let Difference { line, said, truth } = difference;
        let position = format!("position {opening}");
        let text = format!("{position}, {line}: {}", contrast(said, truth));
        let lines = self
            .dialogue
            .notes()
            .greeting()
            .chain([position, line.clone()])
            .collect();
        let finding = if is_reordered(said, truth) {
            warn
        } else {
            fail
        };
        finding(text).shown_by(lines)
    }

    /// Asks about one position; the difference, if there is any.
    fn differ(&mut self, opening: &Opening) -> Result<Option<Difference>, Finding> {
        let (line, truth) = self.truth(opening);
        let lines = format!("position {opening}\n{line}");
        let told = match self.question {
            Question::Query(_) => self.dialogue.ask(&lines)?,
            Question::Perft => self.dialogue.count(&lines)?,
        };
        let mut words = Vec::new();
        for told in told {
            match told.reply {
                Some(Reply::Response(text)) => words.push(text),
                Some(Reply::Error(why)) => words.push(format!("info error {why}")),
                Some(Reply::Divide { .. } | Reply::PerftTotal(_)) => words.push(told.line),
                _ => {}
            }
        }
        let said = words.join(" ");
        let is_same = said.split_whitespace().eq(truth.split_whitespace());
        Ok((!is_same).then_some(Difference { line, said, truth }))
    }

    /// The line that asks, and the right answer.
    fn truth(&self, opening: &Opening) -> (String, String) {
        let mut board = board(self.rules, opening);
        match self.question {
            Question::Query(query) => {
                let answer = truth(&*board, query).unwrap_or_default();
                (format!("query {}", query.word()), answer)
            }
            Question::Perft => {
                let depth = depth(board.moves().len() as u64);
                let shares = board.divide(depth);
                let total: u64 = shares.iter().map(|(_, nodes)| nodes).sum();
                let told = shares
                    .iter()
                    .map(|(code, nodes)| format!("{code}: {nodes}"));
                let words: Vec<String> = told.chain([format!("nodes {total}")]).collect();
                (format!("go perft {depth}"), words.join(" "))
            }
        }
    }
}

/// How deep to count where there are so many moves.
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
