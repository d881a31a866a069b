//! Checks engines' answers about a known game against its rules.

use kit::dyn_history::right_answer;
use kit::{DynHistory, Side};
use protocol::Query;
use protocol::text::excerpt;

use super::{Seats, answered_by, answers, ask};
use crate::client::Fault;

const QUESTIONS: [Query; 4] = [Query::P1Turn, Query::GameOver, Query::Result, Query::Moves];

/// Cross-check of one game. Only the first wrong answer of each engine is reported.
#[derive(Debug, Default)]
pub(super) struct CrossCheck {
    mismatched: Vec<String>,
}

impl CrossCheck {
    /// Sends both players the queries that they support, and returns their wrong answers.
    pub(super) fn check(
        &mut self,
        board: &dyn DynHistory,
        position: &str,
        players: &mut Seats<'_>,
    ) -> Result<Vec<(Side, String)>, (Side, Fault)> {
        let asked = players
            .each_mut()
            .map(|player| answered_by(*player, &QUESTIONS));
        for side in Side::BOTH {
            ask(players[side.index()], position, &asked[side.index()])
                .map_err(|fault| (side, fault))?;
        }
        let answers = answers(players, asked.each_ref().map(Vec::len))?;
        let lies = Side::BOTH.into_iter().filter_map(|side| {
            let at = side.index();
            let lie = asked[at]
                .iter()
                .zip(&answers[at])
                .find_map(|(query, answer)| contradict(board, *query, answer))
                .filter(|_| {
                    !self
                        .mismatched
                        .iter()
                        .any(|name| name == players[at].name())
                })?;
            self.mismatched.push(players[at].name().to_owned());
            // The game's record has all its moves.
            Some((side, format!("{lie}; {}", excerpt(position))))
        });
        Ok(lies.collect())
    }
}

/// Returns the error in an answer, if any.
fn contradict(board: &dyn DynHistory, query: Query, answer: &str) -> Option<String> {
    let (word, right) = (query.word(), right_answer(board, query)?);
    let is_right = answer.split_whitespace().eq(right.split_whitespace());
    (!is_right).then(|| {
        let (answer, right) = (excerpt(answer), excerpt(&right));
        format!("answers query {word} with \"{answer}\" where the rules say \"{right}\"")
    })
}
