//! The parameters and gains of a tuning.

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
        let bad = |why: &str| format!("{text:?}: {why}: expected NAME=START,MIN,MAX,STEP");
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
                .ok_or_else(|| bad(&format!("STEP {step}: expected a number above 0")))?,
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
    /// The name of the first setting that differs from another tuning.
    pub(crate) fn difference(&self, other: &Tuning) -> Option<&'static str> {
        let settings = [
            ("game", self.game != other.game),
            ("engine", self.engine != other.engine),
            ("params", self.params != other.params),
            (
                "iterations",
                self.gains.iterations != other.gains.iterations,
            ),
            ("gains", self.gains != other.gains),
            ("pairs", self.pairs != other.pairs),
            ("srand", self.srand != other.srand),
            ("openings", self.openings != other.openings),
            (
                "openings_crc32",
                self.openings_crc32 != other.openings_crc32,
            ),
        ];
        settings
            .into_iter()
            .find_map(|(name, differs)| differs.then_some(name))
    }

    /// Number of games in an iteration.
    pub(crate) fn n_games(&self) -> usize {
        2 * self.pairs
    }
}

#[cfg(test)]
pub(super) mod tests_support {
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("Depth=5,0,9,0", "STEP 0: expected a number above 0"),
            ("Depth=5,0,9,inf", "STEP inf: expected a number above 0"),
            ("Depth=5,9,0,1", "not in this order"),
            ("Depth=10,0,9,1", "not in this order"),
            ("Depth=0,0,0,1", "not in this order"),
        ] {
            let why = Param::parse(text).expect_err(text);
            assert!(why.contains(wrong), "{why}");
        }
    }

    /// The worked example of `spec/tuning.md`.
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
}
