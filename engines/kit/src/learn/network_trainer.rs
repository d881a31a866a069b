//! Training: weights from positions with targets, by gradient descent.
//!
//! Each batch of examples moves each weight a step that shrinks the error of the predictions (Adam; Kingma and Ba 2014). A
//! weight that no example of the batch uses stays as it is. Equal examples in equal order give equal weights.

use std::array;

use fastrand::Rng;

use super::{HiddenLayer, Row, Trainer, logistic};
use crate::network::{HIDDEN, Network, QA, QB};

/// A position to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The active inputs as the player to move sees them, then as the opponent does.
    pub inputs: [Vec<u16>; 2],
    /// The share of a point that the player to move should expect, from 0 to 1.
    pub target: f32,
}

/// The limits that let weights fit the integers of a [`Network`].
const INPUT_LIMIT: f32 = 1.0;
const OUTPUT_LIMIT: f32 = (i16::MAX / QB - 1) as f32;

/// A network during training, in floating point.
#[derive(Debug, Clone)]
pub struct NetworkTrainer {
    hidden: HiddenLayer<HIDDEN>,
    output: [Row<HIDDEN>; 2],
}

impl Trainer for NetworkTrainer {
    type Weights = Network;
    type Example = Example;

    const BATCH: usize = 512;
    const RATE: f32 = 0.0005;

    /// Every position scores 0.
    fn untrained(n_inputs: usize, seed: u64) -> NetworkTrainer {
        let mut rng = Rng::with_seed(seed);
        let mut row = || array::from_fn(|_| (2.0 * rng.f32() - 1.0) * 0.1);
        let rows = (0..n_inputs).map(|_| Row::new(row())).collect();
        NetworkTrainer {
            hidden: HiddenLayer::new(rows, Row::new([0.3; HIDDEN]), 0),
            // The first steps set these apart.
            output: array::from_fn(|_| Row::new([0.0; HIDDEN])),
        }
    }

    fn step(&mut self, rate: f32) {
        self.hidden.step(rate, INPUT_LIMIT);
        for output in &mut self.output {
            output.step(rate, OUTPUT_LIMIT);
        }
    }

    /// The gradients of the cross entropy, whose slope at the output is the error of the prediction.
    fn add_gradients(&mut self, example: &Example, share: f32) {
        let sums = self.sums(&example.inputs);
        let error = (self.predict(&sums) - example.target) * share;
        for ((inputs, sums), output) in example.inputs.iter().zip(&sums).zip(&mut self.output) {
            self.hidden.add_gradients(inputs, sums, output, error);
        }
    }

    /// The squared error of the prediction.
    fn error_on(&self, example: &Example) -> f32 {
        let error = self.predict(&self.sums(&example.inputs)) - example.target;
        error * error
    }

    fn weights(&self) -> Network {
        self.hidden.rounded(&self.output, [QA, QB])
    }
}

impl NetworkTrainer {
    /// Number of inputs.
    pub(super) fn n_inputs(&self) -> usize {
        self.hidden.rows.len()
    }

    /// All rows of weights: of the inputs, the bias, of the output.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row<HIDDEN>> {
        let rest = [&self.hidden.bias].into_iter().chain(&self.output);
        self.hidden.rows.iter().chain(rest)
    }

    /// A trainer with these rows; `None` if their number is not that of a network, or a weight is beyond its limit.
    pub(super) fn from_rows(mut rows: Vec<Row<HIDDEN>>) -> Option<NetworkTrainer> {
        let is_within = |rows: &[Row<HIDDEN>], limit: f32| {
            let mut weights = rows.iter().flat_map(|row| &row.weights);
            weights.all(|weight| weight.abs() <= limit)
        };
        let output = rows.split_off(rows.len().checked_sub(2)?);
        if !is_within(&rows, INPUT_LIMIT) || !is_within(&output, OUTPUT_LIMIT) {
            return None;
        }
        let bias = rows.pop()?;
        Some(NetworkTrainer {
            hidden: HiddenLayer::new(rows, bias, 0),
            output: output.try_into().ok()?,
        })
    }

    fn sums(&self, inputs: &[Vec<u16>; 2]) -> [[f32; HIDDEN]; 2] {
        inputs.each_ref().map(|inputs| self.hidden.sums(inputs))
    }

    /// The share of a point that the player to move can expect.
    fn predict(&self, sums: &[[f32; HIDDEN]; 2]) -> f32 {
        let views = sums.iter().zip(&self.output);
        logistic(views.map(|(sums, row)| self.hidden.output(sums, row)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    /// Positions with two of eight inputs; the player to move wins where exactly one is below 4, which no sum of weights
    /// tells.
    fn examples(n: usize) -> Vec<Example> {
        let mut rng = Rng::with_seed(3);
        let example = |_| {
            let pair = [rng.u16(..8), rng.u16(..8)];
            let is_won = (pair[0] < 4) != (pair[1] < 4);
            Example {
                inputs: [pair.to_vec(), pair.to_vec()],
                target: f32::from(is_won),
            }
        };
        (0..n).map(example).collect()
    }

    fn trained() -> NetworkTrainer {
        let examples = examples(20_000);
        let mut trainer = NetworkTrainer::untrained(8, 1);
        for batch in examples.chunks(100) {
            let batch: Vec<&Example> = batch.iter().collect();
            trainer.learn(&batch, 0.01);
        }
        trainer
    }

    #[test]
    fn exclusive_or_is_learned() {
        let examples = examples(500);
        assert!((NetworkTrainer::untrained(8, 1).error(&examples) - 0.25).abs() < 1e-6);
        assert!(trained().error(&examples) < 0.01);
    }

    #[test]
    fn the_rounded_network_scores_as_the_trainer_predicts() {
        let trainer = trained();
        let network = trainer.weights();
        for example in examples(50) {
            let seen = example.inputs[0].iter().map(|&input| [input, input]);
            let sums = network.accumulator(|add| seen.for_each(add));
            let score = network.score(&sums, Side::P1) as f32;
            let predicted = trainer.predict(&trainer.sums(&example.inputs));
            let rounded = logistic(score / 200.0);
            assert!((predicted - rounded).abs() < 0.02, "{predicted} {rounded}");
        }
    }

    #[test]
    fn equal_examples_give_equal_weights() {
        assert_eq!(trained().weights(), trained().weights());
    }
}
