//! SPSA: the parameters of a tuning, its gain sequences, and its values over the iterations.
//!
//! An iteration perturbs all parameters at once, each up or down at random, and plays a few pairs of games between the
//! engines with the two opposite perturbations. Each value then moves towards the winner's. The values depend only on the
//! settings and the results of the games. `spec/lab.md` has the formulas.
//!
//! Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998), pages 817 to 823. The gains are scaled as in fishtest
//! and OpenBench: by their desired values in the last iteration.

use fastrand::Rng;
use record::engine_spec::EngineSpec;
use record::game_spec::GameSpec;
use record::opening::source::OpeningSource;
use serde::{Deserialize, Serialize};

/// A spin option to be tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Param {
    /// The option's name.
    pub(crate) name: String,
    /// The initial value.
    pub(crate) start: i64,
    /// The smallest value tried.
    pub(crate) min: i64,
    /// The largest value tried.
    pub(crate) max: i64,
    /// The perturbation of the value in the last iteration.
    pub(crate) step: f64,
}

impl Param {
    /// Parses `NAME=START,MIN,MAX,STEP`.
    ///
    /// # Errors
    /// The text is malformed; the error quotes it with the expected form.
    pub(crate) fn parse(text: &str) -> Result<Param, String> {
        let bad = |why: &str| format!("{text:?}: {why}: write NAME=START,MIN,MAX,STEP");
        let (name, values) = text
            .rsplit_once('=')
            .filter(|(name, _)| !name.trim().is_empty())
            .ok_or_else(|| bad("no name"))?;
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        let [start, min, max, step] = values[..] else {
            return Err(bad(&format!("{} values", values.len())));
        };
        let whole = |text: &str| {
            let number: Result<i64, _> = text.parse();
            number.map_err(|_| bad(&format!("{text} is not a whole number")))
        };
        let param = Param {
            name: name.trim().to_owned(),
            start: whole(start)?,
            min: whole(min)?,
            max: whole(max)?,
            step: step
                .parse()
                .ok()
                .filter(|step: &f64| step.is_finite() && *step > 0.0)
                .ok_or_else(|| bad(&format!("STEP {step}: choose a number above 0")))?,
        };
        match param.min < param.max && (param.min..=param.max).contains(&param.start) {
            true => Ok(param),
            false => Err(bad("MIN, START and MAX are not in this order")),
        }
    }
}

/// Exponent of the decrease of the value changes (Spall 1998).
const ALPHA: f64 = 0.602;

/// Exponent of the decrease of the perturbations (Spall 1998).
const GAMMA: f64 = 0.101;

/// Limits the first changes: Spall's A, as a fraction of the iterations, as in OpenBench.
const STABILITY: f64 = 0.1;

/// Spall's gain sequences, given by their values in the last iteration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gains {
    /// Number of iterations, at least 1.
    pub(crate) iterations: u64,
    /// Change of a value in the last iteration for each game of the winning margin, in steps.
    pub(crate) rate: f64,
}

impl Gains {
    /// The perturbation of a parameter with this step in iteration `k`, from 1: Spall's c(k).
    pub(crate) fn perturbation(&self, step: f64, k: u64) -> f64 {
        step * libm::pow(self.iterations as f64 / k as f64, GAMMA)
    }

    /// Change of a value in iteration `k` for each game of the winning margin: Spall's a(k) / c(k), including the
    /// factor 2 of the formula.
    pub(crate) fn gain(&self, step: f64, k: u64) -> f64 {
        let last = self.iterations as f64;
        let stability = STABILITY * last;
        let decrease = libm::pow((stability + last) / (stability + k as f64), ALPHA);
        self.rate * step * step * decrease / self.perturbation(step, k)
    }
}

/// The settings that determine a tuning: the first line of its state file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tuning {
    /// Its id, which its match on a fleet has too; empty in the files of older versions.
    #[serde(default)]
    pub(crate) id: String,
    /// The game.
    pub(crate) game: GameSpec,
    /// The engine, which plays itself.
    pub(crate) engine: EngineSpec,
    /// The parameters.
    pub(crate) params: Vec<Param>,
    /// The gain sequences.
    pub(crate) gains: Gains,
    /// Pairs of games in each iteration. Both games of a pair have the same opening, with sides swapped.
    pub(crate) pairs: usize,
    /// Seed of the perturbations and openings.
    pub(crate) srand: u64,
    /// Source of the openings.
    pub(crate) openings: OpeningSource,
    /// CRC-32 of the openings, to detect a changed file.
    pub(crate) openings_crc32: u32,
}

impl Tuning {
    /// The name of the first setting that differs from an older tuning.
    pub(crate) fn difference(&self, old: &Tuning) -> Option<&'static str> {
        let new = self;
        let settings = [
            ("game", new.game != old.game),
            ("engine", new.engine != old.engine),
            ("params", new.params != old.params),
            ("iterations", new.gains.iterations != old.gains.iterations),
            ("gains", new.gains != old.gains),
            ("pairs", new.pairs != old.pairs),
            ("srand", new.srand != old.srand),
            ("openings", new.openings != old.openings),
            ("openings_crc32", new.openings_crc32 != old.openings_crc32),
        ];
        let found = settings.into_iter().find(|(_, differs)| *differs);
        found.map(|(name, _)| name)
    }

    /// Number of games in an iteration.
    pub(crate) fn n_games(&self) -> usize {
        2 * self.pairs
    }
}

/// The settings, the current values and the number of finished iterations.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Course {
    pub(crate) tuning: Tuning,
    /// The current values, in the order of the parameters.
    pub(crate) values: Vec<f64>,
    /// Number of finished iterations.
    pub(crate) n_done: u64,
}

/// The two sets of values that one iteration compares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// The number of the iteration, from 1.
    pub(crate) iteration: u64,
    /// The values of the first engine, in the order of the parameters.
    pub(crate) plus: Vec<i64>,
    /// The values of the second engine.
    pub(crate) minus: Vec<i64>,
    /// The sign of each parameter's perturbation in `plus`, 1 or -1.
    #[serde(skip)]
    signs: Vec<f64>,
}

impl Course {
    /// Starts a tuning.
    pub(crate) fn new(tuning: Tuning) -> Course {
        let values = tuning.params.iter().map(|param| param.start as f64);
        Course {
            values: values.collect(),
            tuning,
            n_done: 0,
        }
    }

    /// The trial of the next iteration; `None` after the last one. It depends only on the seed, the number of the
    /// iteration and the values.
    pub(crate) fn next_trial(&self) -> Option<Trial> {
        let iteration = self.n_done + 1;
        if iteration > self.tuning.gains.iterations {
            return None;
        }
        let mut rng =
            Rng::with_seed(self.tuning.srand ^ iteration.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut trial = Trial {
            iteration,
            plus: Vec::new(),
            minus: Vec::new(),
            signs: Vec::new(),
        };
        for (param, value) in self.tuning.params.iter().zip(&self.values) {
            let sign = if rng.bool() { 1.0 } else { -1.0 };
            let shift = sign * self.tuning.gains.perturbation(param.step, iteration);
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
        let gains = self.tuning.gains;
        let params = self.tuning.params.iter().zip(&trial.signs);
        for (value, (param, sign)) in self.values.iter_mut().zip(params) {
            let gain = gains.gain(param.step, trial.iteration);
            let moved = *value + sign * gain * margin as f64;
            *value = moved.clamp(param.min as f64, param.max as f64);
        }
        self.n_done = trial.iteration;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record_testing::plan;

    /// Two parameters, each from 0 to 100.
    pub(crate) fn tuning(iterations: u64, rate: f64) -> Tuning {
        let param = |name: &str, start| Param {
            name: name.to_owned(),
            start,
            min: 0,
            max: 100,
            step: 4.0,
        };
        let plan = plan(&["A", "B"]);
        Tuning {
            id: String::new(),
            game: plan.game,
            engine: plan.engines[0].clone(),
            params: vec![param("First", 20), param("Second", 50)],
            gains: Gains { iterations, rate },
            pairs: 1,
            srand: 1,
            openings: OpeningSource::None,
            openings_crc32: 0,
        }
    }

    #[test]
    fn a_parameter_is_read() {
        let param = Param::parse("Skill Level=5, 0,20,1.5").expect("a parameter");
        assert_eq!((param.name.as_str(), param.start), ("Skill Level", 5));
        assert_eq!((param.min, param.max, param.step), (0, 20, 1.5));
        for (text, wrong) in [
            ("Depth", "no name"),
            ("=1,2,3,4", "no name"),
            ("Depth=1,2,3", "3 values"),
            ("Depth=x,0,9,1", "x is not a whole number"),
            ("Depth=1.5,0,9,1", "1.5 is not a whole number"),
            ("Depth=5,0,9,0", "STEP 0: choose a number above 0"),
            ("Depth=5,0,9,inf", "STEP inf: choose a number above 0"),
            ("Depth=5,9,0,1", "not in this order"),
            ("Depth=10,0,9,1", "not in this order"),
            ("Depth=0,0,0,1", "not in this order"),
        ] {
            let why = Param::parse(text).expect_err(text);
            assert!(why.contains(wrong), "{why}");
        }
    }

    /// The worked example of `spec/lab.md`.
    #[test]
    fn the_gains_end_at_the_step_and_the_rate() {
        let gains = Gains {
            iterations: 1000,
            rate: 0.002,
        };
        assert!((gains.perturbation(8.0, 1000) - 8.0).abs() < 1e-12);
        assert!((gains.gain(8.0, 1000) - 0.016).abs() < 1e-12);
        assert!((gains.perturbation(8.0, 1) - 16.07).abs() < 0.01);
        assert!(
            (gains.gain(8.0, 1) - 0.0335).abs() < 0.0001,
            "{}",
            gains.gain(8.0, 1)
        );
        for k in 1..1000 {
            assert!(gains.perturbation(8.0, k) > gains.perturbation(8.0, k + 1));
        }
    }

    #[test]
    fn the_values_move_towards_the_winner() {
        let mut course = Course::new(tuning(400, 0.05));
        while let Some(trial) = course.next_trial() {
            let mut tried = trial.plus.iter().chain(&trial.minus);
            assert!(tried.all(|value| (0..=100).contains(value)));
            // Values closer to 70 and 10 are better.
            let badness = |values: &[i64]| (values[0] - 70).abs() + (values[1] - 10).abs();
            let margin = (badness(&trial.minus) - badness(&trial.plus)).signum();
            course.take(&trial, 2 * margin);
        }
        let [first, second] = course.values[..] else {
            panic!("two values");
        };
        assert!(
            (first - 70.0).abs() <= 6.5 && (second - 10.0).abs() <= 6.5,
            "{first} {second}"
        );
        assert_eq!(course.n_done, 400);
    }

    #[test]
    fn draws_move_nothing_and_the_bounds_hold() {
        let mut course = Course::new(tuning(50, 0.05));
        let trial = course.next_trial().expect("the first");
        course.take(&trial, 0);
        assert_eq!(course.values, [20.0, 50.0]);
        for _ in 1..50 {
            let trial = course.next_trial().expect("not the last");
            let is_larger = trial.plus[0] > trial.minus[0];
            course.take(&trial, if is_larger { 1000 } else { -1000 });
        }
        assert_eq!(course.values[0], 100.0);
        assert_eq!(course.next_trial(), None);
    }

    #[test]
    fn a_trial_depends_on_the_seed_and_the_values_alone() {
        let course = Course::new(tuning(50, 0.05));
        assert_eq!(course.next_trial(), course.clone().next_trial());
        let trial = |srand| {
            let tuning = tuning(50, 0.05);
            Course::new(Tuning { srand, ..tuning }).next_trial()
        };
        assert!((1..5).any(|srand| trial(srand) != trial(0)));
    }
}
