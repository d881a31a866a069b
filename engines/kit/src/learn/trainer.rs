//! Training of a [`Network`]: fits the weights to positions with targets by gradient descent.
//!
//! Each batch of examples updates the weights by one step of Adam (Kingma and Ba 2014). A weight that no example of the
//! batch uses does not change. Equal examples in equal order give equal weights.

use std::array;

use fastrand::Rng;

use crate::fitting::{Adam, logistic};
use crate::network::{HIDDEN, Network, ONE, OUTPUT_ONE};

/// A training position.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The active inputs from the point of view of the player to move, then of the opponent.
    pub inputs: [Vec<u16>; 2],
    /// Expected points of the player to move, from 0 to 1.
    pub target: f32,
}

/// Examples per step.
pub const BATCH: usize = 512;

/// Limits of the weights, so that they fit the integers of a [`Network`].
const INPUT_LIMIT: f32 = 1.0;
const OUTPUT_LIMIT: f32 = (i16::MAX / OUTPUT_ONE - 1) as f32;
/// Gradient of the activation where it is clipped. With a gradient of 0, the weights could not recover.
const CLIPPED_SLOPE: f32 = 0.01;

pub(super) type Row = [f32; HIDDEN];

/// A row of weights with its optimizer state.
#[derive(Debug, Clone)]
struct LearnedRow {
    weights: Row,
    adam: Adam<Row>,
}

/// The gradients of the rows that a batch uses.
#[derive(Debug, Clone)]
struct Gradients {
    inputs: Vec<Row>,
    /// Inputs with a nonzero gradient.
    used: Vec<u16>,
    is_used: Vec<bool>,
    bias: Row,
    output: [Row; 2],
}

/// A network in training, in floating point.
#[derive(Debug, Clone)]
pub struct Trainer {
    inputs: Vec<LearnedRow>,
    bias: LearnedRow,
    output: [LearnedRow; 2],
    gradients: Gradients,
}

impl LearnedRow {
    fn new(weights: Row) -> LearnedRow {
        LearnedRow {
            weights,
            adam: Adam::new([0.0; HIDDEN]),
        }
    }

    fn step(&mut self, gradient: &Row, rate: f32, limit: f32) {
        self.adam.step(&mut self.weights, gradient, rate);
        for weight in &mut self.weights {
            *weight = weight.clamp(-limit, limit);
        }
    }
}

impl Gradients {
    fn new(n_inputs: usize) -> Gradients {
        Gradients {
            inputs: vec![[0.0; HIDDEN]; n_inputs],
            used: Vec::new(),
            is_used: vec![false; n_inputs],
            bias: [0.0; HIDDEN],
            output: [[0.0; HIDDEN]; 2],
        }
    }

    fn add_input(&mut self, input: u16, part: &Row) {
        let at = usize::from(input);
        if !self.is_used[at] {
            self.is_used[at] = true;
            self.used.push(input);
        }
        for (sum, part) in self.inputs[at].iter_mut().zip(part) {
            *sum += part;
        }
    }
}

impl Trainer {
    /// Untrained weights: every position scores 0.
    pub fn new(n_inputs: usize, seed: u64) -> Trainer {
        let mut rng = Rng::with_seed(seed);
        let mut row = |size: f32| array::from_fn(|_| (2.0 * rng.f32() - 1.0) * size);
        let inputs = (0..n_inputs).map(|_| LearnedRow::new(row(0.1))).collect();
        Trainer {
            inputs,
            bias: LearnedRow::new([0.3; HIDDEN]),
            // The first steps give them different values.
            output: array::from_fn(|_| LearnedRow::new([0.0; HIDDEN])),
            gradients: Gradients::new(n_inputs),
        }
    }

    /// Starts from the weights of a network, to continue its training.
    pub fn from_network(network: &Network) -> Trainer {
        let one = f32::from(ONE);
        let row = |weights: [i16; HIDDEN], one: f32| {
            LearnedRow::new(weights.map(|weight| f32::from(weight) / one))
        };
        Trainer {
            inputs: network
                .inputs
                .iter()
                .map(|weights| row(weights.map(i16::from), one))
                .collect(),
            bias: row(network.bias, one),
            output: network
                .output
                .map(|weights| row(weights, f32::from(OUTPUT_ONE))),
            gradients: Gradients::new(network.n_inputs()),
        }
    }

    /// Returns the weights rounded to integers.
    pub fn network(&self) -> Network {
        let rounded = |row: &LearnedRow, one: i16| {
            row.weights
                .map(|weight| (weight * f32::from(one)).round() as i16)
        };
        Network {
            inputs: self
                .inputs
                .iter()
                .map(|row| rounded(row, ONE).map(|weight| weight as i8))
                .collect(),
            bias: rounded(&self.bias, ONE),
            output: array::from_fn(|view| rounded(&self.output[view], OUTPUT_ONE)),
        }
    }

    /// All rows of weights: inputs, hidden-layer bias, output.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        let rest = [&self.bias].into_iter().chain(&self.output);
        self.inputs.iter().chain(rest).map(|row| &row.weights)
    }

    /// Creates a trainer from its rows; `None` if there are too few.
    pub(super) fn from_rows(rows: impl IntoIterator<Item = Row>) -> Option<Trainer> {
        let mut rows: Vec<LearnedRow> = rows.into_iter().map(LearnedRow::new).collect();
        let output = rows.split_off(rows.len().checked_sub(2)?);
        let bias = rows.pop()?;
        Some(Trainer {
            gradients: Gradients::new(rows.len()),
            inputs: rows,
            bias,
            output: output.try_into().ok()?,
        })
    }

    /// The expected points of the player to move, from 0 to 1.
    pub(super) fn expects(&self, inputs: &[Vec<u16>; 2]) -> f32 {
        self.predict(&self.sums(inputs))
    }

    /// Mean squared error of the predictions.
    pub fn error<'a>(&self, examples: impl IntoIterator<Item = &'a Example>) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for example in examples {
            let error = self.expects(&example.inputs) - example.target;
            sum += f64::from(error * error);
            count += 1;
        }
        sum / f64::from(count.max(1))
    }

    /// Trains on one batch; each weight changes by at most about `rate`.
    pub fn learn(&mut self, batch: &[&Example], rate: f32) {
        for example in batch {
            self.add_gradients(example, 1.0 / batch.len() as f32);
        }
        let gradients = &mut self.gradients;
        for input in gradients.used.drain(..) {
            let at = usize::from(input);
            self.inputs[at].step(&gradients.inputs[at], rate, INPUT_LIMIT);
            gradients.inputs[at] = [0.0; HIDDEN];
            gradients.is_used[at] = false;
        }
        self.bias.step(&gradients.bias, rate, INPUT_LIMIT);
        gradients.bias = [0.0; HIDDEN];
        for (output, gradient) in self.output.iter_mut().zip(&mut gradients.output) {
            output.step(gradient, rate, OUTPUT_LIMIT);
            *gradient = [0.0; HIDDEN];
        }
    }

    /// Adds the gradients of an example. The gradient of the cross entropy at the output is the error of the
    /// prediction.
    fn add_gradients(&mut self, example: &Example, share: f32) {
        let sums = self.sums(&example.inputs);
        let error = (self.predict(&sums) - example.target) * share;
        for (view, sums) in sums.iter().enumerate() {
            let mut back = [0.0; HIDDEN];
            for (i, &sum) in sums.iter().enumerate() {
                let is_clipped = sum <= 0.0 || sum >= 1.0;
                let slope = if is_clipped { CLIPPED_SLOPE } else { 1.0 };
                back[i] = error * self.output[view].weights[i] * slope;
                self.gradients.output[view][i] += error * sum.clamp(0.0, 1.0);
                self.gradients.bias[i] += back[i];
            }
            for &input in &example.inputs[view] {
                self.gradients.add_input(input, &back);
            }
        }
    }

    fn sums(&self, inputs: &[Vec<u16>; 2]) -> [Row; 2] {
        array::from_fn(|view| {
            let mut sums = self.bias.weights;
            for &input in &inputs[view] {
                let weights = &self.inputs[usize::from(input)].weights;
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
            sums
        })
    }

    /// The expected points of the player to move, given the sums.
    fn predict(&self, sums: &[Row; 2]) -> f32 {
        let mut output = 0.0;
        for (sums, row) in sums.iter().zip(&self.output) {
            for (sum, weight) in sums.iter().zip(&row.weights) {
                output += sum.clamp(0.0, 1.0) * weight;
            }
        }
        logistic(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    /// Positions with two of eight inputs. The player to move wins if exactly one is below 4, which a linear function
    /// cannot represent (exclusive or).
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

    fn trained() -> Trainer {
        let examples = examples(20_000);
        let mut trainer = Trainer::new(8, 1);
        for batch in examples.chunks(100) {
            let batch: Vec<&Example> = batch.iter().collect();
            trainer.learn(&batch, 0.01);
        }
        trainer
    }

    #[test]
    fn what_is_no_sum_of_weights_is_learned() {
        let examples = examples(500);
        assert!((Trainer::new(8, 1).error(&examples) - 0.25).abs() < 1e-6);
        assert!(trained().error(&examples) < 0.01);
    }

    #[test]
    fn the_rounded_network_scores_as_the_trainer_predicts() {
        let trainer = trained();
        let network = trainer.network();
        for example in examples(50) {
            let seen = example.inputs[0].iter().map(|&input| [input, input]);
            let sums = network.sums(|add| seen.for_each(add));
            let score = network.score(&sums, Side::P1) as f32;
            let predicted = trainer.expects(&example.inputs);
            let rounded = logistic(score / 200.0);
            assert!((predicted - rounded).abs() < 0.02, "{predicted} {rounded}");
        }
    }

    #[test]
    fn equal_examples_give_equal_weights() {
        assert_eq!(trained().network(), trained().network());
    }

    #[test]
    fn a_network_is_taken_up_as_it_was() {
        let network = trained().network();
        assert_eq!(Trainer::from_network(&network).network(), network);
    }
}
