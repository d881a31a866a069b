//! The sequential probability ratio test (SPRT), which stops a match between two engines early.
//!
//! The generalized SPRT of Michel Van den Bergh, "Comments on Normalized Elo" (2021), with pairs as observations if
//! sides are swapped. The numbers agree with fastchess (`sprt.cpp`).

use serde::{Deserialize, Serialize};

use super::elo::{NELO_UNIT, elo_to_score};
use super::sample::{Sample, moments};
use crate::ensure;

/// Two hypotheses about the Elo difference of two engines, and the error probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sprt {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1, larger than `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 if H0 holds.
    #[serde(default = "usual_error")]
    pub alpha: f64,
    /// Probability of accepting H0 if H1 holds.
    #[serde(default = "usual_error")]
    pub beta: f64,
    /// The scale of both differences.
    #[serde(default)]
    pub model: Model,
}

/// The scale of an Elo difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic Elo.
    #[default]
    Logistic,
    /// Normalized Elo, in units of the standard deviation of the games.
    Normalized,
}

/// The decision of an SPRT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

/// The status of an SPRT.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SprtStatus {
    /// The parameters of the test.
    pub test: Sprt,
    /// Log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// Lower bound: at or below it, H0 is accepted.
    pub lower: f64,
    /// Upper bound: at or above it, H1 is accepted.
    pub upper: f64,
    /// The decision; `None` while the test continues.
    pub decision: Option<Decision>,
    /// `true` if a score has frequency 0, so that smoothing applies.
    pub is_regularised: bool,
}

/// Largest Elo difference of a hypothesis. Beyond it, expected scores round to 0 and 1.
const MAX_ELO: f64 = 5000.0;

fn usual_error() -> f64 {
    0.05
}

impl Sprt {
    /// The words of `--sprt`, which are the names of the fields.
    pub const WORDS: &str = "elo0=X elo1=Y with X below Y, alpha= and beta= above 0 and together below 1, \
                             model=logistic or normalized";

    /// Checks that the test can be decided.
    ///
    /// # Errors
    /// The text names the values and what is expected.
    pub fn check(&self) -> Result<(), String> {
        let [elo0, elo1, alpha, beta] = [self.elo0, self.elo1, self.alpha, self.beta];
        let are_ordered = -MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO;
        ensure!(
            are_ordered && alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0,
            "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}: choose elo0 below elo1, both from -{MAX_ELO} to \
             {MAX_ELO}, and alpha and beta above 0 and together below 1"
        );
        Ok(())
    }

    /// The status after these observations. The bounds are those of Wald, "Sequential Analysis" (1947).
    pub fn status(self, sample: &Sample) -> SprtStatus {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.llr(sample);
        let h0 = (llr <= lower).then_some(Decision::H0);
        SprtStatus {
            test: self,
            llr,
            lower,
            upper,
            decision: (llr >= upper).then_some(Decision::H1).or(h0),
            is_regularised: sample.counts.contains(&0),
        }
    }

    fn llr(self, sample: &Sample) -> f64 {
        if sample.counts.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let (total, shares) = sample.shares(1e-3);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => tilt(&shares, |score| score - elo_to_score(elo)),
            Model::Normalized => with_t(&shares, elo * sample.games_each().sqrt() / NELO_UNIT),
        };
        let both = likeliest(self.elo0).into_iter().zip(likeliest(self.elo1));
        let each = shares.iter().zip(both);
        let ratios = each.map(|((_, share), (p0, p1))| share * (p1.ln() - p0.ln()));
        total * ratios.sum::<f64>()
    }
}

/// The maximum-likelihood distribution whose mean is `t` standard deviations above a half (Van den Bergh, section 4.1),
/// by iteration. A large `t` is approached in steps, since the iteration converges only near its solution.
fn with_t(shares: &[(f64, f64)], t: f64) -> Vec<f64> {
    const STEP: f64 = 0.1;
    const ROUNDS: usize = 100;
    const CLOSE: f64 = 1e-6;
    let n_steps = (t.abs() / STEP).ceil().max(1.0);
    let mut p = vec![1.0 / shares.len() as f64; shares.len()];
    for step in 1..=n_steps as u32 {
        let t = t * f64::from(step) / n_steps;
        for _ in 0..ROUNDS {
            let guess = shares.iter().zip(&p).map(|((score, _), p)| (*score, *p));
            let (mean, variance) = moments(&guess.collect::<Vec<_>>());
            let sigma = variance.sqrt();
            let next = tilt(shares, |score| {
                score - 0.5 - 0.5 * t * sigma * (1.0 + ((score - mean) / sigma).powi(2))
            });
            let changes = next.iter().zip(&p).map(|(a, b)| (a - b).abs());
            let is_close = changes.fold(0.0, f64::max) < CLOSE;
            p = next;
            if is_close {
                break;
            }
        }
    }
    p
}

/// The maximum-likelihood distribution in which the expectation of `phi`, a function of the score, is 0 (Van den Bergh,
/// proposition 1.1): `share / (1 + theta phi)` for one theta. It lies between the two values at which a share becomes
/// infinite; the expectation decreases between them, so bisection finds it.
fn tilt(shares: &[(f64, f64)], phi: impl Fn(f64) -> f64) -> Vec<f64> {
    const HALVINGS: usize = 200;
    let phi: Vec<f64> = shares.iter().map(|(score, _)| phi(*score)).collect();
    let each = || shares.iter().map(|(_, share)| share).zip(&phi);
    let mut low = -1.0 / phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut high = -1.0 / phi.iter().copied().fold(f64::INFINITY, f64::min);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            // No number lies between them.
            break;
        }
        let terms = each().map(|(share, phi)| share * phi / (1.0 + middle * phi));
        if terms.sum::<f64>() > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = (low + high) / 2.0;
    each()
        .map(|(share, phi)| share / (1.0 + theta * phi))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{games, pairs};

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    /// Expected ratios from fastchess's tests (`app/tests/sprt_test.cpp`), compared with 1 % tolerance.
    #[test]
    fn ratios_agree_with_fastchess() {
        use Model::{Logistic, Normalized};
        for (sample, test, wanted) in [
            (games(36433, 36027, 68692), test(0.0, 2.0, Normalized), 0.92),
            (
                games(10871, 10650, 20431),
                test(-1.75, 0.25, Normalized),
                2.30,
            ),
            (games(21404, 21184, 40708), test(0.5, 2.5, Logistic), -1.57),
            (
                games(57433, 57030, 106_593),
                test(0.0, 2.0, Logistic),
                -2.59,
            ),
            (
                pairs(365, 16618, 36029, 200, 16974, 390),
                test(0.0, 2.0, Normalized),
                2.25,
            ),
            (
                pairs(127, 4883, 10311, 401, 5150, 104),
                test(-1.75, 0.25, Normalized),
                3.01,
            ),
            (
                pairs(223, 9863, 20279, 1000, 10037, 246),
                test(0.5, 2.5, Logistic),
                -3.07,
            ),
            (
                pairs(871, 26175, 55003, 980, 26678, 821),
                test(0.0, 2.0, Logistic),
                -4.98,
            ),
        ] {
            let llr = test.status(&sample).llr;
            assert!(
                (llr - wanted).abs() <= 0.01 * (1.0 + wanted.abs()),
                "{sample:?}: {llr} is not {wanted}"
            );
        }
    }

    /// Values by hand, because fastchess's numerical search stops early for these samples. With draws only, a share w
    /// of wins gives t = sqrt(w), so the LLR is n ln(1 - t1^2). With won pairs only, the likeliest alternative is lost
    /// pairs, so the LLR is n ln(1 + t1).
    #[test]
    fn one_sided_samples_agree_with_the_formula() {
        let test = test(0.0, 5.0, Model::Normalized);
        let draws = test.status(&games(0, 0, 16700)).llr;
        assert!((draws + 3.46).abs() < 0.02, "{draws}");
        let wins = test.status(&pairs(0, 0, 0, 0, 0, 104)).llr;
        assert!((wins - 2.095).abs() < 0.01, "{wins}");
    }

    #[test]
    fn large_differences_are_decided() {
        let sample = pairs(10, 200, 400, 50, 300, 40);
        let status = |elo0, elo1| test(elo0, elo1, Model::Normalized).status(&sample);
        for elo in [300.0, 900.0, MAX_ELO] {
            assert_eq!(status(0.0, elo).decision, Some(Decision::H0), "{elo}");
            assert_eq!(status(-elo, 0.0).decision, Some(Decision::H1), "{elo}");
            assert!(status(-elo, elo).llr.is_finite(), "{elo}");
        }
    }

    #[test]
    fn a_test_that_cannot_be_decided_is_refused() {
        let sound = test(0.0, 5.0, Model::Logistic);
        assert_eq!(sound.check(), Ok(()));
        for (elo0, elo1, alpha, beta) in [
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, -0.1),
            (0.0, 5.0, 0.5, 0.5),
            (0.0, 5.0, f64::NAN, 0.05),
            (0.0, 0.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (-1e9, 5.0, 0.05, 0.05),
        ] {
            let bad = Sprt {
                elo0,
                elo1,
                alpha,
                beta,
                ..sound
            };
            let why = bad.check().expect_err("it cannot be decided");
            assert!(why.contains("choose elo0 below"), "{why}");
        }
    }

    #[test]
    fn bounds_are_walds() {
        let status = test(0.0, 10.0, Model::Logistic).status(&games(0, 0, 0));
        assert!((status.upper - 2.944).abs() < 1e-3 && (status.lower + 2.944).abs() < 1e-3);
        assert_eq!((status.llr, status.decision), (0.0, None));
    }

    #[test]
    fn clear_results_are_decided() {
        let test = test(0.0, 30.0, Model::Logistic);
        assert_eq!(
            test.status(&pairs(0, 0, 5, 0, 10, 60)).decision,
            Some(Decision::H1)
        );
        assert_eq!(
            test.status(&pairs(60, 10, 5, 0, 0, 0)).decision,
            Some(Decision::H0)
        );
        assert!(test.status(&pairs(60, 10, 5, 0, 0, 0)).is_regularised);
    }
}
