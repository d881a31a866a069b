//! Conversion of scores to expected points.

use record::game::Points;

/// Score in hundredths that multiplies the odds of winning by ten, as in Elo.
const TENFOLD: f64 = 400.0;

/// The expected points, 0 to 1, of the player from whose point of view the score is given: Elo's logistic curve, and 1
/// or 0 for a mate. A Monte Carlo search computes its scores by this curve, so the conversion is exact there; for an
/// evaluation it is an estimate.
pub fn win_share(score: Points) -> f64 {
    match score {
        Points::Cp(cp) => 1.0 / (1.0 + 10_f64.powf(-f64::from(cp) / TENFOLD)),
        Points::Mate(count) if count > 0 => 1.0,
        Points::Mate(_) => 0.0,
        Points::Draw => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_become_shares() {
        for (score, share) in [
            (Points::Cp(0), 0.5),
            (Points::Draw, 0.5),
            (Points::Cp(191), 0.75),
            (Points::Cp(-191), 0.25),
            (Points::Cp(i32::MAX), 1.0),
            (Points::Cp(i32::MIN), 0.0),
            (Points::Mate(9), 1.0),
            (Points::Mate(0), 0.0),
            (Points::Mate(-9), 0.0),
        ] {
            assert!((win_share(score) - share).abs() < 0.001, "{score:?}");
        }
    }
}
