//! Playing below full strength on purpose.
//!
//! A weak level looks less far ahead and does not mind a small loss: it picks among the best lines by their score
//! plus a random part. It still takes a win that it sees and avoids a loss that it sees.

use super::{Score, mate_distance};

/// How well to play: 0 to 20, full strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skill(u8);

/// Lines that a weak level chooses from.
const LINES: usize = 12;

impl Skill {
    /// As well as possible.
    pub const FULL: Skill = Skill(20);

    /// A level from 0 to 20; a larger number is full strength.
    pub const fn new(level: u8) -> Skill {
        if level < Skill::FULL.0 {
            Skill(level)
        } else {
            Skill::FULL
        }
    }

    /// The deepest iteration at this level.
    pub(super) fn depth(self) -> u32 {
        if self == Skill::FULL {
            u32::MAX
        } else {
            1 + u32::from(self.0) / 2
        }
    }

    /// How many lines to search where the user asked for `asked`.
    pub(super) fn lines(self, asked: usize) -> usize {
        if self == Skill::FULL {
            asked.max(1)
        } else {
            asked.max(LINES)
        }
    }

    /// The largest error, in score units, that the level does not mind.
    fn tolerance(self) -> Score {
        i32::from(Skill::FULL.0 - self.0) * 12
    }

    /// The line to play among the best ones, by their scores; `seed` decides. Forced ends are seen for what they
    /// are.
    pub(super) fn choose(self, scores: &[Score], seed: u64) -> usize {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut felt = |score: Score| match mate_distance(score) {
            Some(_) => score,
            None => score + rng.i32(0..=self.tolerance()),
        };
        let felt: Vec<Score> = scores.iter().map(|&score| felt(score)).collect();
        (0..scores.len())
            .rev()
            .max_by_key(|&i| felt[i])
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
