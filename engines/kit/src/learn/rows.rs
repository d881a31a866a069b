//! Rows of weights during training, the logistic curve and the Adam optimizer.

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

/// The expected points for an output; 0.5 for 0.
pub fn logistic(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Decay rates of the means of gradient and squared gradient (Adam's beta 1 and beta 2).
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// Gradient descent with an adaptive step for each weight (Adam; Kingma and Ba 2014).
#[derive(Debug, Clone)]
pub struct Adam<Weights> {
    /// Decaying mean of the gradients.
    pub(super) mean: Weights,
    /// Decaying mean of the squared gradients.
    pub(super) square: Weights,
    /// Number of steps so far.
    pub(super) steps: i32,
}

impl<Weights: AsRef<[f32]> + AsMut<[f32]> + Clone> Adam<Weights> {
    /// Creates the optimizer state with one entry for each of `zeros`.
    pub fn new(zeros: Weights) -> Adam<Weights> {
        Adam {
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
        }
    }

    /// Makes one step; each weight changes by at most about `rate`.
    #[inline]
    pub fn step(&mut self, weights: &mut Weights, gradient: &Weights, rate: f32) {
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
