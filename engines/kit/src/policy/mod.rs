//! A learned policy: how likely each move of a position is to be the best, from features of the move.
//!
//! A game names the active features of each legal move. Each feature adds a row of [`WIDTH`] weights to the sums of its
//! move. The first sum counts as it is; the others are clipped to 0..=[`ONE`], which makes them a hidden layer. A weighted sum
//! of all is the move's logit, and the moves' shares are the softmax of their logits. [`learn`](crate::learn) finds the
//! weights; `file` keeps them. All is the same on every machine.

mod file;

use std::fmt;

/// Numbers that the features of a move add up to.
pub const WIDTH: usize = 16;
/// The integer that stands for 1 in sums and in the weights of features.
pub const ONE: i16 = 256;
/// The integer that stands for 1 in the weights of the output.
pub const OUTPUT_ONE: i16 = 256;
/// The largest weight of a feature.
pub const LARGEST: i16 = 4 * ONE;
/// The most active features of a move; with more, a sum could overflow.
pub const MAX_ACTIVE: usize = (i16::MAX / LARGEST) as usize - 1;

/// The weights of a policy.
#[derive(Clone, PartialEq, Eq)]
pub struct Policy {
    /// A row for each feature, in units of 1/[`ONE`].
    pub(crate) features: Vec<[i16; WIDTH]>,
    /// What sums begin with, in the same unit.
    pub(crate) bias: [i16; WIDTH],
    /// The weights of the sums, in units of 1/[`OUTPUT_ONE`].
    pub(crate) output: [i16; WIDTH],
}

impl Policy {
    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.features.len()
    }

    /// The logit of a move with these features, at most [`MAX_ACTIVE`].
    #[inline]
    pub fn logit(&self, features: &[u16]) -> f32 {
        let mut sums = self.bias;
        for &feature in features {
            let row = &self.features[usize::from(feature)];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        let linear = i32::from(sums[0]) * i32::from(self.output[0]);
        let hidden = sums[1..].iter().zip(&self.output[1..]);
        let hidden = hidden.map(|(&sum, &weight)| i32::from(sum.clamp(0, ONE)) * i32::from(weight));
        (linear + hidden.sum::<i32>()) as f32 / (f32::from(ONE) * f32::from(OUTPUT_ONE))
    }
}

/// Turns logits into shares that add up to about 1.
pub fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = exp(*logit - highest);
        sum += *logit;
    }
    for share in logits {
        *share /= sum;
    }
}

/// e to the power of a number that is at most 0. The library's function differs between systems in the last digit.
fn exp(power: f32) -> f32 {
    // (1 + x/256)^256. Where the error is not small, the share is.
    let mut result = 1.0 + power.max(-256.0) / 256.0;
    for _ in 0..8 {
        result *= result;
    }
    result
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Policy of {} features", self.n_features())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_in_the_order_of_the_logits() {
        let mut shares = [1.0, -3.0, 2.5, 2.5, -1000.0];
        softmax(&mut shares);
        assert!(
            (shares.iter().sum::<f32>() - 1.0).abs() < 1e-5,
            "{shares:?}"
        );
        assert!(shares[2] == shares[3] && shares[2] > shares[0] && shares[0] > shares[1]);
        assert_eq!(shares[4], 0.0);
        assert!((shares[0] / shares[2] - (-1.5_f32).exp()).abs() < 0.01);
    }

    #[test]
    fn the_first_sum_is_linear_and_the_others_are_clipped() {
        let row = |linear, hidden| std::array::from_fn(|i| if i == 0 { linear } else { hidden });
        let policy = Policy {
            features: vec![row(LARGEST, 0), row(0, LARGEST), row(0, -LARGEST)],
            bias: [0; WIDTH],
            output: [OUTPUT_ONE; WIDTH],
        };
        assert_eq!(policy.logit(&[]), 0.0);
        assert_eq!(policy.logit(&[0, 0]), 8.0);
        assert_eq!(policy.logit(&[1]), (WIDTH - 1) as f32);
        assert_eq!(policy.logit(&[2]), 0.0);
        assert_eq!(policy.logit(&[1; MAX_ACTIVE]), (WIDTH - 1) as f32);
    }
}
