//! Adjudication: the referee ends a game before its rules do.

use std::num::NonZeroUsize;

use kit::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::game::Points;

/// The conditions of adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjudication {
    /// The ply after which a game is drawn.
    pub max_plies: usize,
    /// The condition for a draw by both players' scores.
    pub draw: Option<DrawRule>,
    /// The condition for a loss by a player's own scores.
    pub resign: Option<ResignRule>,
}

impl Default for Adjudication {
    /// Each game is played to its end by the rules.
    fn default() -> Adjudication {
        Adjudication {
            max_plies: usize::MAX,
            draw: None,
            resign: None,
        }
    }
}

/// `--draw`: both players' scores stay near 0. Its words are the names of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawRule {
    /// Earliest move number of each player.
    #[serde(alias = "movenumber")]
    pub move_number: usize,
    /// Number of consecutive moves of each player.
    #[serde(alias = "movecount")]
    pub move_count: NonZeroUsize,
    /// Largest distance of a score from 0, in hundredths.
    pub score: u32,
}

/// `--resign`: a player's own score stays low. Its words are the names of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResignRule {
    /// Number of the player's consecutive moves.
    #[serde(alias = "movecount")]
    pub move_count: NonZeroUsize,
    /// The score must be at most minus this value, in hundredths.
    pub score: u32,
    /// `true` if the opponent's scores must confirm it.
    #[serde(default, alias = "twosided")]
    pub two_sided: bool,
}

/// The words of `--draw`.
pub const DRAW_WORDS: &str = "movenumber=N movecount=N score=CP, whole numbers";

/// The words of `--resign`.
pub const RESIGN_WORDS: &str = "movecount=N score=CP, whole numbers, and twosided or not";

/// A decision of the referee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjudicated {
    /// The result.
    pub outcome: Outcome,
    /// The end of the sentence that begins with `A wins` or `drawn`: `by the scores`.
    pub how: String,
}

/// Applies the rules to one game.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    /// The scores of each player's moves in hundredths; `None` for a move without one.
    scores: [Vec<Option<i64>>; 2],
    /// The decision that follows from the scores, until the next move: the winner, if it is no draw.
    by_scores: Option<Option<Side>>,
}

impl Adjudicator {
    /// Starts without scores.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            scores: Default::default(),
            by_scores: None,
        }
    }

    /// The decision after this number of plies, those of the opening included.
    pub fn decision(&self, n_plies: usize) -> Option<Adjudicated> {
        let (winner, how) = match self.by_scores {
            Some(winner) => (winner, "by the scores".to_owned()),
            None if n_plies >= self.rules.max_plies => (None, format!("after {n_plies} plies")),
            None => return None,
        };
        let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
        Some(Adjudicated { outcome, how })
    }

    /// Adds the score of a player's move, from that player's point of view.
    pub fn score(&mut self, side: Side, points: Option<Points>) {
        self.scores[side.index()].push(points.map(value));
        let last = |side: Side, n_moves: NonZeroUsize, holds: &dyn Fn(i64) -> bool| {
            let last = self.scores[side.index()].iter().rev().take(n_moves.get());
            let holding = last.filter(|score| score.is_some_and(holds));
            holding.count() == n_moves.get()
        };
        let resigns = self.rules.resign.is_some_and(|rule| {
            let (n_moves, limit) = (rule.move_count, i64::from(rule.score));
            last(side, n_moves, &|score| score <= -limit)
                && (!rule.two_sided || last(side.other(), n_moves, &|score| score >= limit))
        });
        let n_moves = self.scores.iter().map(Vec::len).sum::<usize>();
        let is_drawn = self.rules.draw.is_some_and(|rule| {
            let is_even = |score: i64| score.abs() <= i64::from(rule.score);
            n_moves >= 2 * rule.move_number
                && Side::BOTH
                    .iter()
                    .all(|side| last(*side, rule.move_count, &is_even))
        });
        self.by_scores = (resigns || is_drawn).then(|| resigns.then(|| side.other()));
    }
}

/// A score in hundredths. Mate scores exceed all others.
fn value(points: Points) -> i64 {
    const MATE: i64 = 1 << 40;
    match points {
        Points::Cp(cp) => i64::from(cp),
        Points::Mate(count) if count > 0 => MATE,
        Points::Mate(_) => -MATE,
        Points::Draw => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(two_sided: bool) -> Adjudication {
        let move_count = NonZeroUsize::MIN.saturating_add(1);
        Adjudication {
            max_plies: 100,
            draw: Some(DrawRule {
                move_number: 3,
                move_count,
                score: 10,
            }),
            resign: Some(ResignRule {
                move_count,
                score: 500,
                two_sided,
            }),
        }
    }

    /// Adds scores in turn, player 1 first. Returns the number of scores that the decision took, and the winner.
    fn decided(rules: Adjudication, scores: &[Option<Points>]) -> Option<(usize, Option<Side>)> {
        let mut referee = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(index, points)| {
            referee.score(Side::BOTH[index % 2], *points);
            let decision = referee.decision(index + 1)?;
            let winner = match decision.outcome {
                Outcome::Win(side) => Some(side),
                Outcome::Draw => None,
            };
            Some((index + 1, winner))
        })
    }

    #[test]
    fn scores_decide_a_game() {
        let (p1, p2) = (Some(Side::P1), Some(Side::P2));
        for (two_sided, scores, decision) in [
            // A draw takes both players and its time.
            (false, &[0, 5, -10, 3, 0, 0][..], Some((6, None))),
            (false, &[0, 5, 0, 3, 0, 11, 0, 0, 0, 0], Some((10, None))),
            // The scores of the player who resigns decide, or those of both with `two_sided`.
            (false, &[100, -500, 100, -600], Some((4, p1))),
            (false, &[100, -500, 100, -499, 100, -500], None),
            (true, &[100, -500, 100, -600], None),
            (true, &[500, -500, 700, -600], Some((4, p1))),
        ] {
            let points: Vec<_> = scores.iter().map(|cp| Some(Points::Cp(*cp))).collect();
            assert_eq!(decided(rules(two_sided), &points), decision, "{scores:?}");
        }
        let mut silent = [Some(Points::Cp(0)); 6];
        silent[4] = None;
        assert_eq!(decided(rules(false), &silent), None);
        let mate = [Some(Points::Mate(-3)), None, Some(Points::Mate(-2))];
        assert_eq!(decided(rules(false), &mate), Some((3, p2)));
    }

    #[test]
    fn a_long_game_is_drawn() {
        let referee = Adjudicator::new(rules(false));
        assert_eq!(referee.decision(99), None);
        let drawn = referee.decision(100).expect("it is long");
        assert_eq!(
            (drawn.outcome, drawn.how.as_str()),
            (Outcome::Draw, "after 100 plies")
        );
    }
}
