//! Functions for fitting weights to results: the logistic curve and the Adam optimizer.

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
