//! Answers about a position, checked.

use std::collections::HashSet;

use kit::{Outcome, Side};
use protocol::Query;
use protocol::text::{excerpt, is_unsafe};

use crate::arbiter::{Answers, Statement};

/// Maximum length of a move code, in bytes.
const MAX_CODE: usize = 100;

/// The answers to some lines.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// The texts after `response`.
    pub(super) responses: Vec<String>,
    /// The first `info error`.
    pub(super) error: Option<String>,
    /// Lines that are no replies of the protocol.
    pub(super) text: Vec<String>,
}

/// The queries about each position.
pub(super) const QUERIES: [Query; 4] =
    [Query::P1Turn, Query::GameOver, Query::Result, Query::Moves];

/// The answers to the [`QUERIES`].
#[derive(Debug, PartialEq)]
pub(super) struct PositionState {
    /// The player to move, or who would move next.
    pub(super) side: Side,
    /// The result, if the game is over.
    pub(super) outcome: Option<Outcome>,
    /// The legal moves, separated by blanks.
    pub(super) moves: String,
}

impl Exchange {
    /// The side to move by the answers before that to `query moves`; `None` after an error, and if the game is over.
    pub(super) fn early_side(&self) -> Option<Side> {
        let answers: Vec<&str> = self.responses.iter().map(|text| text.trim()).collect();
        match answers.as_slice() {
            _ if self.error.is_some() => None,
            ["true", "false", "none"] => Some(Side::P1),
            ["false", "false", "none"] => Some(Side::P2),
            _ => None,
        }
    }

    /// Reads all answers.
    ///
    /// # Errors
    /// An answer is missing or no answer to its query, or the answers contradict each other.
    pub(super) fn state(&self) -> Result<PositionState, String> {
        let [_, over, result, moves] = self.responses.as_slice() else {
            let n_answers = self.responses.len();
            let error = self.error.as_deref().unwrap_or("answers missing");
            return Err(format!("{n_answers} answers to 4 queries: {error}"));
        };
        let texts = self.responses.iter().map(|text| text.trim().to_owned());
        let answers = Answers {
            texts: texts.collect(),
            complaint: None,
        };
        let read = Statement::read(&QUERIES, &answers);
        let Statement {
            is_over,
            outcome,
            is_p1_turn,
            ..
        } = read.map_err(|fault| fault.to_string())?;
        let side = match is_p1_turn {
            Some(false) => Side::P2,
            _ => Side::P1,
        };
        if is_over != outcome.is_some() {
            return Err(format!(
                "gameover {} and result {}",
                over.trim(),
                result.trim()
            ));
        }
        let codes: Vec<&str> = moves.split_whitespace().collect();
        let mut seen = HashSet::new();
        for code in &codes {
            if code.len() > MAX_CODE || code.chars().any(is_unsafe) || *code == "moves" {
                let code = excerpt(code);
                return Err(format!(
                    "answers query moves with \"{code}\", which is no move code"
                ));
            }
            if !seen.insert(code) {
                return Err(format!("query moves: {code} twice"));
            }
        }
        match (is_over, codes.len()) {
            (false, 0) => return Err("no moves in a game that is not over".to_owned()),
            (true, 1..) => return Err("moves in a game that is over".to_owned()),
            _ => {}
        }
        Ok(PositionState {
            side,
            outcome,
            moves: codes.join(" "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answers: [&str; 4]) -> Result<PositionState, String> {
        let responses = answers.map(str::to_owned).to_vec();
        let error = None;
        let text = Vec::new();
        Exchange {
            responses,
            error,
            text,
        }
        .state()
    }

    #[test]
    fn answers_are_checked() {
        let state = read(["false", "false", "none", "a1  b2 "]).expect("sound answers");
        assert_eq!(state.side, Side::P2);
        assert_eq!(state.moves, "a1 b2");
        let state = read(["true", "true", "draw", ""]).expect("sound answers");
        assert_eq!(state.outcome, Some(Outcome::Draw));
        for (answers, why) in [
            (
                ["yes", "false", "none", "a1"],
                "answers query p1turn with \"yes\"",
            ),
            (
                ["true", "true", "none", ""],
                "gameover true and result none",
            ),
            (
                ["true", "false", "p1win", "a1"],
                "gameover false and result p1win",
            ),
            (
                ["true", "false", "lost", "a1"],
                "answers query result with \"lost\"",
            ),
            (["true", "false", "none", "a1 a1"], "query moves: a1 twice"),
            (
                ["true", "false", "none", "a1 moves"],
                "answers query moves with \"moves\"",
            ),
            (
                ["true", "false", "none", ""],
                "no moves in a game that is not over",
            ),
            (
                ["true", "true", "p2win", "a1"],
                "moves in a game that is over",
            ),
        ] {
            let error = read(answers).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
        let exchange = Exchange {
            responses: vec!["true".to_owned()],
            error: Some("unknown query".to_owned()),
            ..Exchange::default()
        };
        let error = exchange.state().expect_err("answers are missing");
        assert_eq!(error, "1 answers to 4 queries: unknown query");
    }
}
