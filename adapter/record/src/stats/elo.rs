//! Elo differences with confidence intervals.
//!
//! The formulas are those of fastchess (`elo_wdl.cpp`, `elo_pentanomial.cpp`). Normalized Elo is defined in Michel Van
//! den Bergh, "Comments on Normalized Elo" (2021).

use serde::{Deserialize, Deserializer, Serialize};

use super::sample::{Sample, moments};

/// Half the width of a 95 % confidence interval, in standard errors.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// An estimate with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Half the width of the interval; infinite, and `null` in JSON, if the games do not bound it.
    #[serde(deserialize_with = "null_is_infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub error: f64,
}

fn null_is_infinite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    Ok(number.unwrap_or(f64::INFINITY))
}

impl Interval {
    /// `true` if this Elo difference is worth showing: its error is below 1000.
    pub fn is_bounded(&self) -> bool {
        const WIDEST: f64 = 1000.0;
        self.value.is_finite() && self.error < WIDEST
    }

    /// The mean score of a sample, 0 to 1; NaN for an empty sample.
    pub(super) fn of_mean(sample: &Sample) -> Interval {
        let (total, shares) = sample.shares(0.0);
        let (value, variance) = moments(&shares);
        let error = Z95 * (variance / total).sqrt();
        Interval { value, error }
    }
}

/// The difference in strength between two players.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Elo {
    /// The difference in logistic Elo.
    pub elo: Interval,
    /// The difference in normalized Elo, in units of the standard deviation of the games.
    pub nelo: Interval,
    /// Likelihood of superiority: the probability that the player is the stronger one, 0 to 1.
    pub los: f64,
}

impl Elo {
    /// Estimates the difference from a sample; `None` if the sample is empty or all observations are equal.
    pub fn of(sample: &Sample) -> Option<Elo> {
        let (total, shares) = sample.shares(0.0);
        let (score, variance) = moments(&shares);
        // Rounding may leave a tiny variance where all observations are equal.
        if variance.is_nan() || variance < 1e-12 {
            return None;
        }
        let deviation = (variance / total).sqrt();
        let interval = |scale: &dyn Fn(f64) -> f64| Interval {
            value: scale(score),
            error: (scale(score + Z95 * deviation) - scale(score - Z95 * deviation)) / 2.0,
        };
        let spread = (sample.games_each() * variance).sqrt();
        Some(Elo {
            elo: interval(&score_to_elo),
            nelo: interval(&|score| (score - 0.5) / spread * NELO_UNIT),
            // The normal distribution below the score's distance from a half.
            los: libm::erfc((0.5 - score) / deviation / std::f64::consts::SQRT_2) / 2.0,
        })
    }
}

/// Normalized Elo of a score one standard deviation (of one game) above a half.
pub(super) const NELO_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo difference with this expected score; infinite for scores of 0 and 1.
fn score_to_elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score for an Elo difference.
pub(super) fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{games, pairs};

    /// Expected values from fastchess's tests (`app/tests/elo_test.cpp`), compared with 1 % tolerance: Elo and normalized
    /// Elo with their errors, and LOS.
    #[test]
    fn estimates_agree_with_fastchess() {
        let none = f64::NAN;
        for (sample, wanted) in [
            (games(76, 89, 123), [none, none, -20.76, 40.13, 15.53]),
            (games(136, 96, 111), [40.70, 30.43, 49.77, 36.77, 99.60]),
            (games(34, 356, 0), [none, none, -508.44, 34.48, none]),
            (
                pairs(34, 54, 31, 32, 64, 75),
                [55.58, 27.65, 57.94, 28.28, 100.0],
            ),
            (
                pairs(332, 433, 457, 41, 333, 334),
                [-8.64, 10.33, -9.17, 10.96, 5.05],
            ),
            (
                pairs(7895, 8757, 5485, 200, 568, 9999),
                [-21.04, 2.95, -19.01, 2.65, none],
            ),
        ] {
            let Elo { elo, nelo, los } = Elo::of(&sample).expect("a spread");
            let found = [elo.value, elo.error, nelo.value, nelo.error, los * 100.0];
            for (at, (found, wanted)) in found.into_iter().zip(wanted).enumerate() {
                let most = if at == 4 {
                    0.01
                } else {
                    0.01 * (1.0 + wanted.abs())
                };
                let is_close = wanted.is_nan() || (found - wanted).abs() <= most;
                assert!(is_close, "{found} is not {wanted}: {sample:?}");
            }
        }
    }

    #[test]
    fn without_spread_there_is_no_estimate() {
        assert_eq!(Elo::of(&games(0, 0, 0)), None);
        assert_eq!(Elo::of(&games(0, 0, 7)), None);
        assert_eq!(Elo::of(&pairs(0, 0, 9, 0, 0, 0)), None);
        assert_eq!(Elo::of(&games(5, 0, 0)), None);
    }
}
