//! Positions to test with, by the rules if they are known, otherwise by the engine's answers.

use fastrand::Rng;
use protocol::Query;
use protocol::text::excerpt;

use super::case::{Case, board};
use super::dialogue::Dialogue;
use super::report::{Finding, ensure, skip};
use crate::opening::Opening;

/// Games are cut off at this ply.
const LONGEST_GAME: usize = 400;

impl Case<'_> {
    /// A random generator; equal for equal seeds and salts.
    pub(super) fn rng(&self, salt: u64) -> Rng {
        Rng::with_seed(self.subject.seed ^ salt.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A position `plies` random moves from the start, the game not over; fewer moves if games are shorter.
    /// Without rules the engine's own moves are used.
    pub(super) fn opening(
        &self,
        dialogue: &mut Dialogue,
        plies: usize,
        salt: u64,
    ) -> Result<Opening, Finding> {
        if let Ok(rules) = &self.rules {
            let drawn = (0..=plies)
                .rev()
                .find_map(|plies| Opening::random(rules, plies, self.subject.seed, salt).ok());
            return Ok(drawn.unwrap_or_default());
        }
        let mut opening = Opening::default();
        let mut rng = self.rng(salt);
        for _ in 0..plies {
            let Some(code) = self.random_move(dialogue, &opening, &mut rng)? else {
                opening.moves.pop();
                break;
            };
            opening.moves.push(code);
        }
        Ok(opening)
    }

    /// Draws a position as [`opening`](Case::opening) does, and sets it.
    pub(super) fn set_random(
        &self,
        dialogue: &mut Dialogue,
        plies: usize,
        salt: u64,
    ) -> Result<Opening, Finding> {
        let opening = self.opening(dialogue, plies, salt)?;
        dialogue.set(&opening)?;
        Ok(opening)
    }

    /// A finished game.
    pub(super) fn finished(&self, dialogue: &mut Dialogue) -> Result<Opening, Finding> {
        let mut rng = self.rng(0xF1);
        for _ in 0..8 {
            let mut opening = Opening::default();
            while opening.moves.len() < LONGEST_GAME {
                let Some(code) = self.random_move(dialogue, &opening, &mut rng)? else {
                    return Ok(opening);
                };
                opening.moves.push(code);
            }
        }
        Err(skip(format!(
            "no random game ends within {LONGEST_GAME} plies"
        )))
    }

    /// A random legal move; `None` if the game is over.
    pub(super) fn random_move(
        &self,
        dialogue: &mut Dialogue,
        opening: &Opening,
        rng: &mut Rng,
    ) -> Result<Option<String>, Finding> {
        if let Ok(rules) = &self.rules {
            return Ok(rng.choice(board(rules, opening).moves()));
        }
        dialogue.set(opening)?;
        if dialogue.query(Query::GameOver)?.as_deref() == Some("true") {
            return Ok(None);
        }
        if self.answers(Query::Moves) {
            let moves = dialogue.query(Query::Moves)?.unwrap_or_default();
            return Ok(rng
                .choice(moves.split_whitespace().collect::<Vec<_>>())
                .map(str::to_owned));
        }
        let code = dialogue.go("depth 1")?.answered()?.code;
        Ok(Some(code).filter(|code| code != "none"))
    }

    /// The legal moves, by the rules if they are known, otherwise by `query moves`.
    pub(super) fn listed(
        &self,
        dialogue: &mut Dialogue,
        opening: &Opening,
    ) -> Result<Option<Vec<String>>, Finding> {
        if let Ok(rules) = &self.rules {
            return Ok(Some(board(rules, opening).moves()));
        }
        if !self.answers(Query::Moves) {
            return Ok(None);
        }
        dialogue.set(opening)?;
        let moves = dialogue.query(Query::Moves)?;
        Ok(moves.map(|moves| moves.split_whitespace().map(str::to_owned).collect()))
    }

    /// Fails if a move is illegal. Without rules it must be in the engine's own list, if there is one.
    pub(super) fn ensure_legal(
        &self,
        dialogue: &mut Dialogue,
        opening: &Opening,
        code: &str,
    ) -> Result<(), Finding> {
        let listed = match self.rules {
            Ok(_) => None,
            Err(_) => self.listed(dialogue, opening)?,
        };
        self.ensure_listed(listed.as_deref(), opening, code)
    }

    /// As [`ensure_legal`](Case::ensure_legal), when the engine can no longer be asked.
    pub(super) fn ensure_listed(
        &self,
        listed: Option<&[String]>,
        opening: &Opening,
        code: &str,
    ) -> Result<(), Finding> {
        let refused = match (&self.rules, listed) {
            (Ok(rules), _) => board(rules, opening)
                .play(code)
                .err()
                .map(|why| why.to_string()),
            (Err(_), Some(listed)) => unlisted(listed, code),
            (Err(_), None) => None,
        };
        ensure(refused.is_none(), || {
            let why = refused.unwrap_or_default();
            format!("bestmove is illegal after position {opening}: {why}")
        })
    }
}

/// The error if a move is not in the engine's list. An empty list means that the game is over.
fn unlisted(listed: &[String], code: &str) -> Option<String> {
    let is_listed = listed.iter().any(|listed| listed == code);
    let is_over = listed.is_empty() && code == "none";
    let moves = excerpt(&listed.join(" "));
    (!is_listed && !is_over).then(|| format!("{}: its query moves says \"{moves}\"", excerpt(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_compared_with_the_list() {
        let listed = ["1", "2"].map(str::to_owned);
        assert_eq!(unlisted(&listed, "2"), None);
        assert_eq!(unlisted(&[], "none"), None);
        let why = unlisted(&listed, "9");
        assert_eq!(why.as_deref(), Some("9: its query moves says \"1 2\""));
        assert!(unlisted(&listed, "none").is_some() && unlisted(&[], "1").is_some());
    }
}
