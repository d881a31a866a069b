//! Training of a [`Policy`]: weights that predict how a search shares its games among the moves.
//!
//! The loss is the cross entropy between the searches' visit shares and the policy's probabilities. Each batch of
//! positions updates the weights by one step of Adam. Equal examples in equal order give equal weights.

use fastrand::Rng;

use kit::learn::{HiddenLayer, Row, Trainer};
use projex::policy::{LARGEST, ONE, Policy, WIDTH, softmax};

/// The moves of a position with their shares of a search's visits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PolicyExample {
    /// The active features of all moves, move by move.
    pub features: Vec<u16>,
    /// For each move, the end of its features in `features`.
    pub ends: Vec<u32>,
    /// For each move, its share of the visits; the shares add up to 1.
    pub shares: Vec<f32>,
}

impl PolicyExample {
    /// Adds a move with its share of the visits.
    pub fn push(&mut self, features: &[u16], share: f32) {
        self.features.extend(features);
        self.ends.push(self.features.len() as u32);
        self.shares.push(share);
    }

    fn moves(&self) -> impl Iterator<Item = (&[u16], f32)> {
        let mut start = 0;
        self.ends
            .iter()
            .zip(&self.shares)
            .map(move |(&end, &share)| {
                let features = &self.features[start..end as usize];
                start = end as usize;
                (features, share)
            })
    }
}

/// Limits of the weights, so that they fit the integers of a [`Policy`].
const FEATURE_LIMIT: f32 = (LARGEST / ONE) as f32;
const OUTPUT_LIMIT: f32 = (i16::MAX / ONE - 1) as f32;
/// Lower bound of probabilities in the loss, which keeps it finite.
const LEAST_SHARE: f32 = 1e-9;

type Sums = [f32; WIDTH];

/// A policy during training, in floating point.
#[derive(Debug, Clone)]
pub struct PolicyTrainer {
    /// The first sum is linear: it has no bias, which would add the same to all moves, and counts as it is.
    hidden: HiddenLayer<WIDTH>,
    output: [Row<WIDTH>; 1],
}

impl Trainer for PolicyTrainer {
    type Weights = Policy;
    type Example = PolicyExample;

    const BATCH: usize = 32;
    const RATE: f32 = 0.005;

    /// All moves have equal shares.
    fn untrained(n_features: usize, seed: u64) -> PolicyTrainer {
        let mut rng = Rng::with_seed(seed);
        // The hidden weights start at different values, and the first steps make them effective.
        let mut row = || {
            let hidden = || (2.0 * rng.f32() - 1.0) * 0.2;
            linear_and(0.0, hidden)
        };
        let rows = (0..n_features).map(|_| Row::new(row())).collect();
        PolicyTrainer {
            hidden: HiddenLayer::new(rows, Row::new(linear_and(0.0, || 0.3)), 1),
            output: [Row::new(linear_and(1.0, || 0.0))],
        }
    }

    fn step(&mut self, rate: f32) {
        self.hidden.step(rate, FEATURE_LIMIT);
        self.output[0].step(rate, OUTPUT_LIMIT);
    }

    /// Adds the gradients of a position. The gradient of the cross entropy at a move's logit is the error of its
    /// probability.
    fn add_gradients(&mut self, example: &PolicyExample, weight: f32) {
        let (sums, shares) = self.shares(example);
        for (((features, target), sums), share) in example.moves().zip(&sums).zip(shares) {
            let error = (share - target) * weight;
            let [output] = &mut self.output;
            self.hidden.add_gradients(features, sums, output, error);
        }
    }

    /// The cross entropy between the search's visit shares and the policy's probabilities.
    fn error_on(&self, example: &PolicyExample) -> f32 {
        let (_, shares) = self.shares(example);
        let found = shares.iter().zip(&example.shares);
        let terms = found.map(|(own, target)| target * own.max(LEAST_SHARE).ln());
        -terms.sum::<f32>()
    }

    fn weights(&self) -> Policy {
        self.hidden.rounded(&self.output, [ONE, ONE])
    }
}

impl PolicyTrainer {
    /// The sums and the share of each move.
    fn shares(&self, example: &PolicyExample) -> (Vec<Sums>, Vec<f32>) {
        let sums = |(features, _)| self.hidden.sums(features);
        let sums: Vec<Sums> = example.moves().map(sums).collect();
        let logit = |sums| self.hidden.output(sums, &self.output[0]);
        let mut shares: Vec<f32> = sums.iter().map(logit).collect();
        softmax(&mut shares);
        (sums, shares)
    }
}

/// A row of the linear sum's weight and the hidden units' weights.
fn linear_and(linear: f32, mut hidden: impl FnMut() -> f32) -> Sums {
    std::array::from_fn(|i| if i == 0 { linear } else { hidden() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use projex::policy::logit;

    /// Positions of three moves with two of eight features each. The visits go in equal parts to the moves with exactly
    /// one feature below 4, which a linear function cannot represent (exclusive or).
    fn examples(n: usize) -> Vec<PolicyExample> {
        let mut rng = Rng::with_seed(3);
        let mut example = || {
            let moves = [(); 3].map(|()| [rng.u16(..8), rng.u16(..8)]);
            let is_good = moves.map(|[a, b]| (a < 4) != (b < 4));
            let n_good = is_good.iter().filter(|&&is_good| is_good).count();
            let mut example = PolicyExample::default();
            for (features, is_good) in moves.iter().zip(is_good) {
                let share = match n_good {
                    0 => 1.0 / 3.0,
                    n => f32::from(u8::from(is_good)) / n as f32,
                };
                example.push(features, share);
            }
            example
        };
        (0..n).map(|_| example()).collect()
    }

    fn trained() -> PolicyTrainer {
        let examples = examples(20_000);
        let mut trainer = PolicyTrainer::untrained(8, 1);
        for batch in examples.chunks(32) {
            let batch: Vec<&PolicyExample> = batch.iter().collect();
            trainer.learn(&batch, 0.01);
        }
        trainer
    }

    /// The entropy of the targets, which is the minimum of the loss.
    fn entropy(examples: &[PolicyExample]) -> f64 {
        let shares = examples.iter().flat_map(|example| &example.shares);
        let terms = shares.filter(|&&share| share > 0.0);
        -f64::from(terms.map(|share| share * share.ln()).sum::<f32>()) / examples.len() as f64
    }

    #[test]
    fn exclusive_or_is_learned() {
        let examples = examples(500);
        let (least, equal) = (entropy(&examples), 3.0_f64.ln());
        assert!((PolicyTrainer::untrained(8, 1).error(&examples) - equal).abs() < 1e-3);
        let error = trained().error(&examples);
        assert!(error < least + 0.05, "{error}, at least {least}");
    }

    #[test]
    fn the_rounded_policy_shares_as_the_trainer_does() {
        let trainer = trained();
        let policy = trainer.weights();
        for example in examples(50) {
            let mut shares: Vec<f32> = example
                .moves()
                .map(|(features, _)| logit(&policy, features))
                .collect();
            softmax(&mut shares);
            let pairs = shares.iter().zip(trainer.shares(&example).1);
            for (rounded, own) in pairs {
                assert!((rounded - own).abs() < 0.03, "{rounded} {own}");
            }
        }
    }

    #[test]
    fn equal_examples_give_equal_weights() {
        assert_eq!(trained().weights(), trained().weights());
    }
}
