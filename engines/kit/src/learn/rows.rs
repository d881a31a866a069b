//! A hidden layer during training, the logistic curve and the Adam optimizer.

use std::marker::PhantomData;

use crate::weights::{Weights, WeightsKind};

/// A row of weights with its gradient.
#[derive(Debug, Clone)]
pub struct Row<const N: usize> {
    /// The weights.
    pub weights: [f32; N],
    /// The gradient of the current batch.
    pub gradient: [f32; N],
    pub(super) adam: Adam<[f32; N]>,
}

impl<const N: usize> Row<N> {
    /// A row that begins with these weights.
    pub fn new(weights: [f32; N]) -> Row<N> {
        Row {
            weights,
            gradient: [0.0; N],
            adam: Adam::new([0.0; N]),
        }
    }

    /// Moves each weight one step down the gradient, within `limit` on either side of 0, and clears the gradient.
    pub fn step(&mut self, rate: f32, limit: f32) {
        self.adam.step(&mut self.weights, &self.gradient, rate);
        self.gradient = [0.0; N];
        for weight in &mut self.weights {
            *weight = weight.clamp(-limit, limit);
        }
    }

    /// The weights as integers, in units of 1/`one`.
    fn rounded(&self, one: i16) -> [i16; N] {
        self.weights
            .map(|weight| (weight * f32::from(one)).round() as i16)
    }
}

/// The slope of a sum that is clipped. With a slope of 0 the weights behind it would never change again.
const CLIPPED_SLOPE: f32 = 0.01;

/// The hidden layer: a row for each input, and the bias. A batch uses few of the rows, and a step touches only those.
#[derive(Debug, Clone)]
pub struct HiddenLayer<const N: usize> {
    /// The rows, by input.
    pub rows: Vec<Row<N>>,
    /// The initial sums.
    pub bias: Row<N>,
    /// The first sums, which count as they are and have neither a bias nor an output weight to learn. All others count
    /// clipped to the range from 0 to 1.
    n_linear: usize,
    /// The inputs that the current batch uses.
    used: Vec<u16>,
    is_used: Vec<bool>,
}

impl<const N: usize> HiddenLayer<N> {
    /// A layer with these weights.
    pub fn new(rows: Vec<Row<N>>, bias: Row<N>, n_linear: usize) -> HiddenLayer<N> {
        HiddenLayer {
            used: Vec::new(),
            is_used: vec![false; rows.len()],
            rows,
            bias,
            n_linear,
        }
    }

    /// The weights as integers, those of the layer in units of 1/`ones[0]` and those of the output in units of 1/`ones[1]`.
    ///
    /// # Panics
    /// If a weight of an input is beyond its range.
    pub fn rounded<K: WeightsKind, const OUT: usize>(
        &self,
        output: &[Row<N>; OUT],
        ones: [i16; 2],
    ) -> Weights<K, N, OUT> {
        let inputs = self.rows.iter().map(|row| row.rounded(ones[0]));
        let inputs: Vec<[i16; N]> = inputs.collect();
        let mut weights = inputs.iter().flatten();
        assert!(weights.all(|weight| weight.abs() <= K::LARGEST));
        Weights {
            inputs,
            kind: PhantomData,
            bias: self.bias.rounded(ones[0]),
            output: output.each_ref().map(|row| row.rounded(ones[1])),
        }
    }

    /// The bias and the weights of the active inputs, added up.
    pub fn sums(&self, inputs: &[u16]) -> [f32; N] {
        let mut sums = self.bias.weights;
        for &input in inputs {
            let weights = &self.rows[usize::from(input)].weights;
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        sums
    }

    /// The contribution of these sums to the output.
    pub fn output(&self, sums: &[f32; N], output: &Row<N>) -> f32 {
        let (linear, hidden) = sums.split_at(self.n_linear);
        let hidden = hidden.iter().zip(&output.weights[self.n_linear..]);
        let hidden = hidden.map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight);
        linear.iter().sum::<f32>() + hidden.sum::<f32>()
    }

    /// Adds the gradients of an error at the output, given the inputs, their sums and the output weights.
    pub fn add_gradients(
        &mut self,
        inputs: &[u16],
        sums: &[f32; N],
        output: &mut Row<N>,
        error: f32,
    ) {
        let mut back = [error; N];
        for i in self.n_linear..N {
            let is_clipped = sums[i] <= 0.0 || sums[i] >= 1.0;
            let slope = if is_clipped { CLIPPED_SLOPE } else { 1.0 };
            back[i] = error * output.weights[i] * slope;
            output.gradient[i] += error * sums[i].clamp(0.0, 1.0);
            self.bias.gradient[i] += back[i];
        }
        for &input in inputs {
            let at = usize::from(input);
            if !self.is_used[at] {
                self.is_used[at] = true;
                self.used.push(input);
            }
            let gradient = self.rows[at].gradient.iter_mut();
            gradient.zip(&back).for_each(|(sum, back)| *sum += back);
        }
    }

    /// Steps the bias and the rows that the batch used, as [`Row::step`] does.
    pub fn step(&mut self, rate: f32, limit: f32) {
        self.bias.step(rate, limit);
        for input in self.used.drain(..) {
            let at = usize::from(input);
            self.rows[at].step(rate, limit);
            self.is_used[at] = false;
        }
    }
}

/// The expected points for an output; 0.5 for 0.
pub fn logistic(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Decay rates of the means of gradient and squared gradient (Adam's beta 1 and beta 2).
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// Gradient descent with an adaptive step for each weight (Adam; Kingma and Ba 2014).
#[derive(Debug, Clone)]
pub struct Adam<W> {
    /// Decaying mean of the gradients.
    pub(super) mean: W,
    /// Decaying mean of the squared gradients.
    pub(super) square: W,
    /// Number of steps so far.
    pub(super) steps: i32,
}

impl<W: AsRef<[f32]> + AsMut<[f32]> + Clone> Adam<W> {
    /// Creates the optimizer state with one entry for each of `zeros`.
    pub fn new(zeros: W) -> Adam<W> {
        Adam {
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
        }
    }

    /// Makes one step; each weight changes by at most about `rate`.
    #[inline]
    pub fn step(&mut self, weights: &mut W, gradient: &W, rate: f32) {
        self.steps = self.steps.saturating_add(1);
        let whole_mean = 1.0 - BETA1.powi(self.steps);
        let whole_square = 1.0 - BETA2.powi(self.steps);
        let means = self.mean.as_mut().iter_mut().zip(self.square.as_mut());
        let weights = weights.as_mut().iter_mut().zip(gradient.as_ref());
        for ((mean, square), (weight, &slope)) in means.zip(weights) {
            *mean += (1.0 - BETA1) * (slope - *mean);
            *square += (1.0 - BETA2) * (slope * slope - *square);
            let size = (*square / whole_square).sqrt() + 1e-8;
            *weight -= rate * *mean / whole_mean / size;
        }
    }
}
