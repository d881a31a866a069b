//! A learned policy: the probability of each move to be the best, from features of the move.
//!
//! A game lists the active features of each legal move. Each feature adds a row of [`WIDTH`] weights to the sums of its
//! move. The first sum is linear; the others are clipped to 0..=[`ONE`] and form a hidden layer. A weighted sum of all
//! is the move's logit, and the softmax of the logits gives the moves' probabilities. The laboratory trains the weights.
//! Results are the same on every machine.

use kit::weights::{Weights, WeightsKind};

/// Number of sums per move.
pub const WIDTH: usize = 16;
/// The fixed-point value of 1 in sums, feature weights and output weights.
pub const ONE: i16 = 256;
/// Maximum of a feature weight.
pub const LARGEST: i16 = 4 * ONE;
/// Maximum number of active features of a move; with more, a sum could overflow.
pub const MAX_ACTIVE: usize = (i16::MAX / LARGEST) as usize - 1;

/// The weights of a policy, in units of 1/[`ONE`]; one row of output weights.
pub type Policy = Weights<PolicyKind, WIDTH, 1>;

/// The kind of the weights of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyKind;

impl WeightsKind for PolicyKind {
    const MAGIC: &'static [u8; 20] = b"linesman policy 1\n\n\n";
    const NAME: &'static str = "policy";
    const INPUTS: &'static str = "features";
    const LARGEST: i16 = LARGEST;
    const INPUT_BYTES: usize = 2;
}

/// The logit of a move with these features, at most [`MAX_ACTIVE`] of them.
#[inline]
pub fn logit(policy: &Policy, features: &[u16]) -> f32 {
    let mut sums = policy.bias;
    for &feature in features {
        let row = &policy.inputs[usize::from(feature)];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += weight;
        }
    }
    let [output] = &policy.output;
    let linear = i32::from(sums[0]) * i32::from(output[0]);
    let hidden = sums[1..].iter().zip(&output[1..]);
    let hidden = hidden.map(|(&sum, &weight)| i32::from(sum.clamp(0, ONE)) * i32::from(weight));
    (linear + hidden.sum::<i32>()) as f32 / f32::from(ONE).powi(2)
}

/// Converts logits to probabilities, which add up to about 1.
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

/// Computes e to the power of a number that is at most 0. The standard library's function differs between systems in
/// the last digit.
fn exp(power: f32) -> f32 {
    // (1 + x/256)^256. The error is only large where the result is small.
    let mut result = 1.0 + power.max(-256.0) / 256.0;
    for _ in 0..8 {
        result *= result;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::weights::StoredWeights as _;
    use std::marker::PhantomData;

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
            inputs: vec![row(LARGEST, 0), row(0, LARGEST), row(0, -LARGEST)],
            bias: [0; WIDTH],
            output: [[ONE; WIDTH]],
            kind: PhantomData,
        };
        assert_eq!(logit(&policy, &[]), 0.0);
        assert_eq!(logit(&policy, &[0, 0]), 8.0);
        assert_eq!(logit(&policy, &[1]), (WIDTH - 1) as f32);
        assert_eq!(logit(&policy, &[2]), 0.0);
        assert_eq!(logit(&policy, &[1; MAX_ACTIVE]), (WIDTH - 1) as f32);
    }

    fn policy() -> Policy {
        Policy {
            inputs: vec![[1; WIDTH], [-LARGEST; WIDTH], [LARGEST; WIDTH]],
            bias: std::array::from_fn(|i| i as i16 - 5),
            output: [[-300; WIDTH]],
            kind: PhantomData,
        }
    }

    #[test]
    fn a_file_reads_back() {
        assert_eq!(Policy::of_game(&policy().to_bytes(), 3), Ok(policy()));
        let why = Policy::of_game(&policy().to_bytes(), 4).expect_err("another game");
        assert_eq!(
            why.to_string(),
            "a policy of another game: expected 4 features"
        );
    }

    #[test]
    fn weights_whose_sums_could_overflow_are_refused() {
        let mut large = policy();
        large.inputs[1][3] = LARGEST + 1;
        let why = Policy::of_game(&large.to_bytes(), 3).expect_err("too large");
        assert_eq!(why.to_string(), "a weight beyond 1024: sums would overflow");
    }
}
