//! Rows of weights during training.

use super::Adam;

/// The slope of a sum that is clipped. With a slope of 0 the weights behind it would never change again.
const CLIPPED_SLOPE: f32 = 0.01;

/// The slope of a hidden sum, which counts clipped to the range from 0 to 1.
#[inline]
pub fn clipped_slope(sum: f32) -> f32 {
    let is_clipped = sum <= 0.0 || sum >= 1.0;
    if is_clipped { CLIPPED_SLOPE } else { 1.0 }
}

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
    pub fn rounded(&self, one: i16) -> [i16; N] {
        self.weights
            .map(|weight| (weight * f32::from(one)).round() as i16)
    }
}

/// A row for each input. A batch uses few of them, and a step touches only those.
#[derive(Debug, Clone)]
pub struct InputRows<const N: usize> {
    /// The rows, by input.
    pub rows: Vec<Row<N>>,
    /// The inputs that the current batch uses.
    used: Vec<u16>,
    is_used: Vec<bool>,
}

impl<const N: usize> InputRows<N> {
    /// These rows.
    pub fn new(rows: Vec<Row<N>>) -> InputRows<N> {
        InputRows {
            used: Vec::new(),
            is_used: vec![false; rows.len()],
            rows,
        }
    }

    /// The bias and the weights of the active inputs, added up.
    pub fn sums(&self, bias: &Row<N>, inputs: &[u16]) -> [f32; N] {
        let mut sums = bias.weights;
        for &input in inputs {
            let weights = &self.rows[usize::from(input)].weights;
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        sums
    }

    /// Adds to the gradient of each of these inputs.
    pub fn add_gradient(&mut self, inputs: &[u16], part: &[f32; N]) {
        for &input in inputs {
            let at = usize::from(input);
            if !self.is_used[at] {
                self.is_used[at] = true;
                self.used.push(input);
            }
            let gradient = self.rows[at].gradient.iter_mut();
            gradient.zip(part).for_each(|(sum, part)| *sum += part);
        }
    }

    /// Steps the rows that the batch used, as [`Row::step`] does.
    pub fn step(&mut self, rate: f32, limit: f32) {
        for input in self.used.drain(..) {
            let at = usize::from(input);
            self.rows[at].step(rate, limit);
            self.is_used[at] = false;
        }
    }
}
