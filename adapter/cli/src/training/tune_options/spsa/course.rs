//! The parameter values over the iterations. They depend only on the settings and the results of the games.

use fastrand::Rng;

use super::settings::{Gains, Param, Tuning};

/// The current values and the number of finished iterations.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Course {
    params: Vec<Param>,
    gains: Gains,
    srand: u64,
    /// In the order of the parameters.
    values: Vec<f64>,
    n_done: u64,
}

/// The two sets of values that one iteration compares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trial {
    /// The number of the iteration, from 1.
    pub(crate) iteration: u64,
    /// The values of the first engine, in the order of the parameters.
    pub(crate) plus: Vec<i64>,
    /// The values of the second engine.
    pub(crate) minus: Vec<i64>,
    /// The sign of each parameter's perturbation in `plus`, 1 or -1.
    signs: Vec<f64>,
}

impl Course {
    /// Starts a tuning.
    pub(crate) fn new(tuning: &Tuning) -> Course {
        Course {
            params: tuning.params.clone(),
            gains: tuning.gains,
            srand: tuning.srand,
            values: tuning
                .params
                .iter()
                .map(|param| param.start as f64)
                .collect(),
            n_done: 0,
        }
    }

    /// The current values, in the order of the parameters.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The current values, rounded for the options.
    pub(crate) fn rounded(&self) -> Vec<i64> {
        self.values
            .iter()
            .map(|value| value.round() as i64)
            .collect()
    }

    /// Number of finished iterations.
    pub(crate) fn n_done(&self) -> u64 {
        self.n_done
    }

    /// The trial of the next iteration; `None` after the last one. It depends only on the seed, the number of the
    /// iteration and the values.
    pub(crate) fn next_trial(&self) -> Option<Trial> {
        let iteration = self.n_done + 1;
        if iteration > self.gains.iterations {
            return None;
        }
        let mut rng = Rng::with_seed(self.srand ^ iteration.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut trial = Trial {
            iteration,
            plus: Vec::new(),
            minus: Vec::new(),
            signs: Vec::new(),
        };
        for (param, value) in self.params.iter().zip(&self.values) {
            let sign = if rng.bool() { 1.0 } else { -1.0 };
            let shift = sign * self.gains.perturbation(param.step, iteration);
            // Stochastic rounding, so that small steps show in the mean.
            let chance = rng.f64();
            let whole = |value: f64| {
                let value = value.clamp(param.min as f64, param.max as f64);
                ((value + chance).floor() as i64).clamp(param.min, param.max)
            };
            trial.plus.push(whole(value + shift));
            trial.minus.push(whole(value - shift));
            trial.signs.push(sign);
        }
        Some(trial)
    }

    /// Updates the values with the result of an iteration. `margin` is the number of games that `plus` won minus those
    /// it lost.
    pub(crate) fn take(&mut self, trial: &Trial, margin: i64) {
        let params = self.params.iter().zip(&trial.signs);
        for (value, (param, sign)) in self.values.iter_mut().zip(params) {
            let gain = self.gains.gain(param.step, trial.iteration);
            let moved = *value + sign * gain * margin as f64;
            *value = moved.clamp(param.min as f64, param.max as f64);
        }
        self.n_done = trial.iteration;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::tune_options::spsa::settings::tests_support::tuning;

    #[test]
    fn the_values_move_towards_the_winner() {
        let mut course = Course::new(&tuning(400, 0.05));
        while let Some(trial) = course.next_trial() {
            assert!(
                trial
                    .plus
                    .iter()
                    .chain(&trial.minus)
                    .all(|value| (0..=100).contains(value))
            );
            // Values closer to 70 and 10 are better.
            let badness = |values: &[i64]| (values[0] - 70).abs() + (values[1] - 10).abs();
            let margin = (badness(&trial.minus) - badness(&trial.plus)).signum();
            course.take(&trial, 2 * margin);
        }
        let [first, second] = course.rounded()[..] else {
            panic!("two values");
        };
        assert!(
            (first - 70).abs() <= 6 && (second - 10).abs() <= 6,
            "{first} {second}"
        );
        assert_eq!(course.n_done(), 400);
    }

    #[test]
    fn draws_move_nothing_and_the_bounds_hold() {
        let mut course = Course::new(&tuning(50, 0.05));
        let trial = course.next_trial().expect("the first");
        course.take(&trial, 0);
        assert_eq!(course.values(), [20.0, 50.0]);
        for _ in 1..50 {
            let trial = course.next_trial().expect("not the last");
            let is_larger = trial.plus[0] > trial.minus[0];
            course.take(&trial, if is_larger { 1000 } else { -1000 });
        }
        assert_eq!(course.values()[0], 100.0);
        assert_eq!(course.next_trial(), None);
    }

    #[test]
    fn a_trial_depends_on_the_seed_and_the_values_alone() {
        let course = Course::new(&tuning(50, 0.05));
        assert_eq!(course.next_trial(), course.clone().next_trial());
        let mut other = tuning(50, 0.05);
        other.srand += 1;
        let trials = (0..5).map(|srand| {
            other.srand = srand;
            Course::new(&other).next_trial()
        });
        let trials: Vec<_> = trials.collect();
        assert!(trials.iter().any(|trial| *trial != trials[0]));
    }
}
