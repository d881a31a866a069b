//! Adjudication: the referee ends a game before its rules do.

use std::collections::VecDeque;

use kit::Side;
use serde::{Deserialize, Serialize};

use crate::game::Points;

/// The conditions of adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// The ply after which a game is drawn.
    pub max_plies: usize,
    /// The condition for a draw by both players' scores.
    pub draw: Option<DrawRule>,
    /// The condition for a loss by a player's own scores.
    pub resign: Option<ResignRule>,
}

impl Adjudication {
    /// Each game is played to its end by the rules.
    pub const NONE: Adjudication = Adjudication {
        max_plies: usize::MAX,
        draw: None,
        resign: None,
    };
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication::NONE
    }
}

/// `--draw`: both players' scores stay near 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Earliest move number of each player.
    pub move_number: usize,
    /// Number of consecutive moves of each player.
    pub move_count: usize,
    /// Largest distance of a score from 0, in hundredths.
    pub score: u32,
}

/// `--resign`: a player's own score stays low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Number of the player's consecutive moves.
    pub move_count: usize,
    /// The score must be at most minus this value, in hundredths.
    pub score: u32,
    /// `true` if the opponent's scores must confirm it.
    pub two_sided: bool,
}

/// A decision of the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjudicated {
    /// The game is drawn.
    Draw,
    /// This player resigns.
    Resign(Side),
}

/// The recent scores of one game.
#[derive(Debug, Clone)]
pub struct Scores {
    rules: Adjudication,
    n_moves: usize,
    /// The last scores of each player in hundredths, from that player's point of view. Mate scores exceed all others.
    last: [VecDeque<Option<i64>>; 2],
}

impl Scores {
    /// Starts without scores.
    pub fn new(rules: Adjudication) -> Scores {
        Scores {
            rules,
            n_moves: 0,
            last: [VecDeque::new(), VecDeque::new()],
        }
    }

    /// Adds the score of a player's move. Returns a decision as soon as a rule applies.
    pub fn tell(&mut self, side: Side, points: Option<Points>) -> Option<Adjudicated> {
        let reach = self.rules.draw.map_or(0, |rule| rule.move_count);
        let reach = reach.max(self.rules.resign.map_or(0, |rule| rule.move_count));
        self.n_moves += 1;
        let last = &mut self.last[side.index()];
        last.push_back(points.map(value));
        if last.len() > reach {
            last.pop_front();
        }
        let resigns = self
            .rules
            .resign
            .is_some_and(|rule| self.resigns(side, rule));
        let is_draw = || self.rules.draw.is_some_and(|rule| self.is_drawn(rule));
        match resigns {
            true => Some(Adjudicated::Resign(side)),
            false => is_draw().then_some(Adjudicated::Draw),
        }
    }

    fn resigns(&self, side: Side, rule: ResignRule) -> bool {
        let limit = i64::from(rule.score);
        self.all(side, rule.move_count, |score| score <= -limit)
            && (!rule.two_sided || self.all(side.other(), rule.move_count, |score| score >= limit))
    }

    fn is_drawn(&self, rule: DrawRule) -> bool {
        let limit = i64::from(rule.score);
        let is_even = |side| self.all(side, rule.move_count, |score| score.abs() <= limit);
        self.n_moves >= 2 * rule.move_number && Side::BOTH.into_iter().all(is_even)
    }

    /// `true` if the last `count` scores of a player are known and all satisfy the condition.
    fn all(&self, side: Side, count: usize, holds: impl Fn(i64) -> bool) -> bool {
        let last = &self.last[side.index()];
        last.len() >= count
            && last
                .iter()
                .rev()
                .take(count)
                .all(|score| score.is_some_and(&holds))
    }
}

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

    fn rules() -> Adjudication {
        Adjudication {
            max_plies: 100,
            draw: Some(DrawRule {
                move_number: 3,
                move_count: 2,
                score: 10,
            }),
            resign: Some(ResignRule {
                move_count: 2,
                score: 500,
                two_sided: false,
            }),
        }
    }

    /// Adds scores in turn, player 1 first. Returns the decision and the number of scores it took.
    fn decided(rules: Adjudication, scores: &[Option<Points>]) -> Option<(usize, Adjudicated)> {
        let mut told = Scores::new(rules);
        scores.iter().enumerate().find_map(|(index, points)| {
            let side = Side::BOTH[index % 2];
            told.tell(side, *points)
                .map(|decision| (index + 1, decision))
        })
    }

    fn cp(scores: &[i32]) -> Vec<Option<Points>> {
        scores.iter().map(|cp| Some(Points::Cp(*cp))).collect()
    }

    #[test]
    fn a_draw_takes_both_players_and_its_time() {
        assert_eq!(
            decided(rules(), &cp(&[0, 5, -10, 3, 0, 0])),
            Some((6, Adjudicated::Draw))
        );
        assert_eq!(
            decided(rules(), &cp(&[0, 5, 0, 3, 0, 11, 0, 0, 0, 0])),
            Some((10, Adjudicated::Draw))
        );
        let mut silent = cp(&[0; 6]);
        silent[4] = None;
        assert_eq!(decided(rules(), &silent), None);
    }

    #[test]
    fn a_player_resigns_by_his_own_scores() {
        assert_eq!(
            decided(rules(), &cp(&[100, -500, 100, -600])),
            Some((4, Adjudicated::Resign(Side::P2)))
        );
        let mate = [Some(Points::Mate(-3)), None, Some(Points::Mate(-2))];
        assert_eq!(
            decided(rules(), &mate),
            Some((3, Adjudicated::Resign(Side::P1)))
        );
        assert_eq!(
            decided(rules(), &cp(&[100, -500, 100, -499, 100, -500])),
            None
        );
    }

    #[test]
    fn two_sided_resignation_asks_the_other() {
        let mut rules = rules();
        rules.resign = rules.resign.map(|rule| ResignRule {
            two_sided: true,
            ..rule
        });
        assert_eq!(decided(rules, &cp(&[100, -500, 100, -600])), None);
        assert_eq!(
            decided(rules, &cp(&[500, -500, 700, -600])),
            Some((4, Adjudicated::Resign(Side::P2)))
        );
    }
}
