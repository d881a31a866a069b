//! Tuning of a linear evaluation: games in, weights out.
//!
//! For games whose evaluation is a weighted sum of [features](DynHistory::features). Each position of a finished game is a
//! [`Sample`]: its features, and the result of the game for the side to move. [`fit`] finds the weights whose sums, mapped
//! to a probability, predict the results best (logistic regression, known in chess as Texel tuning). Equal arguments give
//! equal weights.

use kit::learn::{Adam, logistic};
use kit::network::SCALE;
use kit::{DynHistory, Outcome, Rejection};

/// One training position.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Feature indices with their counts.
    pub features: Vec<(u32, i32)>,
    /// Result for the side to move: 1 for a win, 0 for a loss, 0.5 for a draw. It approaches 0.5 with the distance to
    /// the end.
    pub target: f32,
}

/// The result of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The fitted weights; shape: one per feature index.
    pub weights: Vec<i16>,
    /// Mean squared error of the predicted results on the held-out samples, with the initial weights.
    pub error_before: f32,
    /// The same error with [`weights`](Fit::weights).
    pub error_after: f32,
}

/// Factor by which a target approaches 0.5 for each ply to the end.
const FADING: f32 = 0.998;
/// One part in this many of the samples is held out to measure the error.
const HELD_OUT: usize = 10;
const BATCH: usize = 256;
/// Initial learning rate in hundredths; it decreases to 0 during the fit.
const STEP: f32 = 4.0;
/// Weight decay: weights without samples go to 0.
const DECAY: f32 = 1e-6;

/// The samples of a finished game that began in the engine's position. The positions before its `n_opening` opening
/// moves, which no player chose, are ignored.
///
/// # Errors
/// An illegal move, which the text names.
pub fn samples(
    engine: &dyn DynHistory,
    moves: &[String],
    n_opening: usize,
    outcome: Outcome,
) -> Result<Vec<Sample>, Rejection> {
    let mut engine = engine.fork();
    let mut samples = Vec::new();
    for (ply, code) in moves.iter().enumerate() {
        if ply >= n_opening && !engine.has_win_in_one() {
            let points = outcome.points(engine.side());
            let plies_to_end = moves.len() - ply;
            samples.push(Sample {
                features: engine.features(),
                target: 0.5 + (points - 0.5) * FADING.powi(plies_to_end as i32),
            });
        }
        engine.play(code)?;
    }
    Ok(samples)
}

/// Fits weights to samples, starting from `weights`, in `n_passes` passes over all samples. The seed is that of their
/// order.
pub fn fit(weights: &[i16], samples: &[Sample], epochs: usize, seed: u64) -> Fit {
    let [held_out, mut learned] = [true, false].map(|is_held_out| {
        let is_in = |i: usize| (i / BATCH % HELD_OUT == HELD_OUT - 1) == is_held_out;
        let numbered = samples.iter().enumerate();
        let chosen = numbered.filter_map(|(i, sample)| is_in(i).then_some(sample));
        chosen.collect::<Vec<_>>()
    });
    let zeros = vec![0.0; weights.len()];
    let mut fit = WeightFit {
        weights: weights.iter().copied().map(f32::from).collect(),
        gradients: zeros.clone(),
        adam: Adam::new(zeros),
    };
    let error_before = fit.error(&held_out);
    let mut rng = fastrand::Rng::with_seed(seed);
    for epoch in 0..epochs {
        rng.shuffle(&mut learned);
        let left = 1.0 - epoch as f32 / epochs as f32;
        for batch in learned.chunks(BATCH) {
            fit.learn(batch, STEP * left);
        }
    }
    for weight in &mut fit.weights {
        *weight = weight.round().clamp(-9_999.0, 9_999.0);
    }
    Fit {
        error_after: fit.error(&held_out),
        weights: fit.weights.iter().map(|&weight| weight as i16).collect(),
        error_before,
    }
}

/// Weights in training.
struct WeightFit {
    weights: Vec<f32>,
    gradients: Vec<f32>,
    adam: Adam<Vec<f32>>,
}

impl WeightFit {
    /// The probability of a win that the weights predict.
    fn predict(&self, sample: &Sample) -> f32 {
        let terms = sample.features.iter();
        let sum: f32 = terms
            .map(|&(index, count)| self.weights[index as usize] * count as f32)
            .sum();
        logistic(sum / SCALE as f32)
    }

    fn error(&self, samples: &[&Sample]) -> f32 {
        let squares: f64 = samples
            .iter()
            .map(|sample| f64::from(self.predict(sample) - sample.target).powi(2))
            .sum();
        (squares / samples.len().max(1) as f64) as f32
    }

    fn learn(&mut self, batch: &[&Sample], step: f32) {
        for sample in batch {
            let error = (self.predict(sample) - sample.target) / batch.len() as f32;
            for &(index, count) in &sample.features {
                self.gradients[index as usize] += error * count as f32;
            }
        }
        for (gradient, weight) in self.gradients.iter_mut().zip(&self.weights) {
            *gradient += DECAY * weight;
        }
        self.adam.step(&mut self.weights, &self.gradients, step);
        self.gradients.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results drawn from known weights of two features, each present or not.
    fn samples_of(weights: [f32; 2], n: usize) -> Vec<Sample> {
        let mut rng = fastrand::Rng::with_seed(7);
        let sample = |_| {
            let counts = [rng.i32(-2..=2), rng.i32(-2..=2)];
            let sum: f32 = (0..2).map(|i| weights[i] * counts[i] as f32).sum();
            let chance = logistic(sum / SCALE as f32);
            Sample {
                features: vec![(0, counts[0]), (1, counts[1])],
                target: f32::from(rng.f32() < chance),
            }
        };
        (0..n).map(sample).collect()
    }

    #[test]
    fn weights_are_found_again() {
        let samples = samples_of([150.0, -60.0], 20_000);
        let fit = fit(&[0, 0], &samples, 40, 1);
        assert!((fit.weights[0] - 150).abs() < 15, "{fit:?}");
        assert!((fit.weights[1] + 60).abs() < 15, "{fit:?}");
        assert!(fit.error_after < fit.error_before, "{fit:?}");
    }

    #[test]
    fn the_same_samples_give_the_same_weights() {
        let samples = samples_of([100.0, 30.0], 2_000);
        let fit = || fit(&[0, 0], &samples, 5, 1);
        assert_eq!(fit(), fit());
    }
}
