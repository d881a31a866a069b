//! Skill levels: play below full strength.
//!
//! A weak level searches less deep and adds a random error to the score of each line before it selects the best. Proven
//! wins and losses keep their scores.

use super::{Score, mate_distance};

/// A skill level from 0, the weakest, to 20, full strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skill(u8);

/// Number of lines that a weak level selects from.
const LINES: usize = 12;

impl Skill {
    /// Full strength.
    pub const FULL: Skill = Skill(20);

    /// Creates a level from 0 to 20; a larger number means full strength.
    pub const fn new(level: u8) -> Skill {
        if level < Skill::FULL.0 {
            Skill(level)
        } else {
            Skill::FULL
        }
    }

    /// Depth of the last iteration at this level.
    pub(super) fn depth(self) -> u32 {
        if self == Skill::FULL {
            u32::MAX
        } else {
            1 + u32::from(self.0) / 2
        }
    }

    /// Number of lines to search, given the value of `MultiPV`.
    pub(super) fn lines(self, asked: usize) -> usize {
        if self == Skill::FULL {
            asked.max(1)
        } else {
            asked.max(LINES)
        }
    }

    /// The largest random error in score units.
    fn max_error(self) -> Score {
        i32::from(Skill::FULL.0 - self.0) * 12
    }

    /// Returns the index of the line to play, given the scores of the best lines. The errors depend only on `seed`.
    pub(super) fn choose(self, scores: &[Score], seed: u64) -> usize {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut with_error = |score: Score| match mate_distance(score) {
            Some(_) => score,
            None => score + rng.i32(0..=self.max_error()),
        };
        let noisy: Vec<Score> = scores.iter().map(|&score| with_error(score)).collect();
        (0..scores.len())
            .rev()
            .max_by_key(|&i| noisy[i])
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::{loss_in, win_in};

    #[test]
    fn every_level_takes_the_nearest_win_and_avoids_a_loss() {
        for level in 0..=20 {
            for seed in 0..100 {
                assert_eq!(
                    Skill::new(level).choose(&[win_in(1), win_in(3), 500], seed),
                    0
                );
                assert_eq!(
                    Skill::new(level).choose(&[-900, loss_in(2), loss_in(4)], seed),
                    0
                );
            }
        }
    }

    #[test]
    fn a_weaker_level_errs_more_often_but_never_by_much() {
        let errors = |level| {
            (0..500)
                .filter(|&seed| Skill::new(level).choose(&[50, 0, -400], seed) != 0)
                .count()
        };
        assert!(errors(0) > errors(10) && errors(10) > errors(19));
        assert!((0..500).all(|seed| Skill::new(0).choose(&[50, 0, -400], seed) != 2));
    }
}
