//! Maximum-likelihood ratings of any number of players.
//!
//! The model is that of Bradley and Terry ("Rank Analysis of Incomplete Block Designs", 1952) on the Elo scale, with a term
//! for moving first: the expected score of the player who moves first is `1 / (1 + 10^-((r1 - r2 + first) / 400))`. A draw
//! counts as half a win and half a loss, and makes the intervals narrower. Newton's method finds the ratings, normalized to
//! a mean of 0.

use std::collections::BTreeMap;

use serde::Serialize;

use super::elo::{Interval, Z95, elo_to_score};

/// The rating of one player.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rating {
    /// The player.
    pub name: String,
    /// Elo relative to the mean of all players.
    pub elo: Interval,
    /// Number of games with a result.
    pub games: u64,
}

/// The ratings of all players in descending order, and the first-move advantage.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ratings {
    /// The players.
    pub players: Vec<Rating>,
    /// Advantage of moving first, in Elo.
    pub first_move: Interval,
}

/// Weight in games of the prior that all players are equal. It keeps the ratings of players with only wins or losses
/// finite.
const PRIOR: f64 = 1e-3;
const ROUNDS: usize = 200;
const LN10_400: f64 = std::f64::consts::LN_10 / 400.0;

/// Numbers of games by the indices of the first and the second player to move, and the half points of the first.
pub(super) type GameCounts = BTreeMap<([usize; 2], usize), u64>;

impl Ratings {
    /// Computes the ratings of these players.
    pub(super) fn of(names: &[&str], counts: &GameCounts) -> Ratings {
        let (elo, covariance) = solve(counts, names.len());
        let interval = |at: usize| Interval {
            value: elo[at],
            error: Z95 * covariance[at][at].max(0.0).sqrt(),
        };
        let rating = |(at, name): (usize, &&str)| Rating {
            name: (*name).to_owned(),
            elo: interval(at),
            games: {
                let own = counts
                    .iter()
                    .filter(|((movers, _), _)| movers.contains(&at));
                own.map(|(_, n)| n).sum()
            },
        };
        let mut players: Vec<Rating> = names.iter().enumerate().map(rating).collect();
        players.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
        Ratings {
            players,
            first_move: interval(names.len()),
        }
    }
}

type Matrix = Vec<Vec<f64>>;

/// The maximum-likelihood parameters in Elo, the first-move term last, and their covariance.
fn solve(counts: &GameCounts, n_players: usize) -> (Vec<f64>, Matrix) {
    /// Limit of a Newton step: far from the solution the likelihood is nearly flat.
    const MAX_STEP: f64 = 200.0;
    let mut elo = vec![0.0; n_players + 1];
    let (mut inverse, mut share) = (Matrix::new(), 1.0);
    for _ in 0..ROUNDS {
        let (gradient, information);
        (gradient, information, share) = slope(counts, &elo);
        inverse = invert(&information);
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        let length = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
        let damping = (MAX_STEP / length).min(1.0);
        for (elo, step) in elo.iter_mut().zip(step) {
            *elo += damping * step;
        }
        if length < 1e-9 {
            break;
        }
    }
    for entry in inverse.iter_mut().flatten() {
        *entry *= share;
    }
    (elo, inverse)
}

/// The gradient of the log-likelihood and the Fisher information with respect to Elo, and the variance of the results as a
/// share of that without draws, which the likelihood assumes: each draw takes away the quarter of a point by which a win or
/// a loss would scatter. If all games are drawn, one counts as decided.
fn slope(counts: &GameCounts, elo: &[f64]) -> (Vec<f64>, Matrix, f64) {
    let first = elo.len() - 1;
    let priors = elo.iter().map(|elo| -PRIOR * LN10_400 * LN10_400 * elo);
    let mut gradient: Vec<f64> = priors.collect();
    // The likelihood is invariant under a common shift of all ratings; these ones fix their mean at 0.
    let mut information = vec![vec![1.0; elo.len()]; elo.len()];
    let (mut games, mut assumed, mut saved) = (0.0, 0.0, 0.0);
    information[first].fill(0.0);
    for (at, row) in information.iter_mut().enumerate() {
        row[first] = 0.0;
        row[at] += PRIOR * LN10_400 * LN10_400;
    }
    for (&([p1, p2], halves), &n) in counts {
        let (points, n) = (halves as f64 / 2.0, n as f64);
        let expected = elo_to_score(elo[p1] - elo[p2] + elo[first]);
        let parts = [(p1, 1.0), (p2, -1.0), (first, 1.0)];
        let variance = n * expected * (1.0 - expected);
        games += n;
        assumed += variance;
        saved += n / 4.0 * f64::from(u8::from(halves == 1));
        for (at, sign) in parts {
            gradient[at] += n * sign * (points - expected) * LN10_400;
            for (other, other_sign) in parts {
                information[at][other] += sign * other_sign * variance * LN10_400 * LN10_400;
            }
        }
    }
    let share = (1.0 - saved / assumed).max(1.0 / games);
    (gradient, information, share)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Inverts a symmetric positive definite matrix by Gauss-Jordan elimination, which needs no exchange of rows there.
fn invert(matrix: &Matrix) -> Matrix {
    let mut inverse = matrix.clone();
    for pivot in 0..matrix.len() {
        let scale = 1.0 / std::mem::replace(&mut inverse[pivot][pivot], 1.0);
        let own: Vec<f64> = inverse[pivot].iter().map(|entry| scale * entry).collect();
        for row in &mut inverse {
            let factor = std::mem::take(&mut row[pivot]);
            for (entry, own) in row.iter_mut().zip(&own) {
                *entry -= factor * own;
            }
        }
        inverse[pivot] = own;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![
            vec![4.0, 2.0, -1.0],
            vec![2.0, 5.0, 0.5],
            vec![-1.0, 0.5, 3.0],
        ];
        let inverse = invert(&matrix);
        for (row, entries) in matrix.iter().enumerate() {
            for (column, other) in inverse.iter().enumerate() {
                let wanted = f64::from(u8::from(row == column));
                assert!((dot(entries, other) - wanted).abs() < 1e-12, "{inverse:?}");
            }
        }
    }

    /// Results of pairs of players, each with 100 games on both sides: the first player's wins with the first
    /// move, and with the second.
    fn results(pairs: &[([usize; 2], [u64; 2])]) -> GameCounts {
        let rows = |&([a, b], [first, second]): &([usize; 2], [u64; 2])| {
            [
                (([a, b], 2), first),
                (([a, b], 0), 100 - first),
                (([b, a], 0), second),
                (([b, a], 2), 100 - second),
            ]
        };
        pairs.iter().flat_map(rows).collect()
    }

    /// A score of 75 % is a difference of 400 log10(3) = 190.85.
    #[test]
    fn three_to_one_is_190_elo() {
        for (pairs, wanted) in [
            (&[([0, 1], [75, 75])][..], &[95.42, -95.42, 0.0][..]),
            (&[([0, 1], [75, 25])], &[0.0, 0.0, 190.85]),
            (
                &[([0, 1], [75, 75]), ([1, 2], [75, 75])],
                &[190.85, 0.0, -190.85, 0.0],
            ),
        ] {
            let (elo, covariance) = solve(&results(pairs), wanted.len() - 1);
            let close = |(found, wanted): (&f64, &f64)| (found - wanted).abs() < 0.1;
            assert!(
                elo.iter().zip(wanted).all(close),
                "{elo:?} is not {wanted:?}"
            );
            if pairs.len() == 1 && wanted[2] == 0.0 {
                // By hand: the standard error of the difference is 1 / (sqrt(200 * 3/16) ln10/400) = 28.37.
                let error = covariance[0][0].sqrt() * 2.0;
                assert!((error - 28.37).abs() < 0.1, "{covariance:?}");
            }
        }
    }

    /// By hand: of 40 games 32 are drawn, so a game's variance is 0.05 points instead of 0.25. An interval of all draws has
    /// the width of one decided game.
    #[test]
    fn draws_make_the_intervals_narrower() {
        let counts = |decided, drawn| {
            [
                (([0, 1], 2), decided),
                (([0, 1], 0), decided),
                (([0, 1], 1), drawn),
            ]
        };
        for (decided, drawn, variance) in [(20, 0, 0.25), (4, 32, 0.05), (0, 40, 0.25 / 40.0)] {
            let (_, covariance) = solve(&GameCounts::from(counts(decided, drawn)), 2);
            // p1 always moves first, so only the sum of the difference and the first-move term can be estimated.
            let sum = covariance[2][2] + 4.0 * covariance[0][0] + 4.0 * covariance[0][2];
            let wanted = (variance / 40.0) / (0.25 * LN10_400).powi(2);
            assert!((sum / wanted - 1.0).abs() < 0.01, "{sum} is not {wanted}");
        }
    }

    #[test]
    fn who_wins_everything_is_far_ahead_but_not_infinitely() {
        let (elo, _) = solve(&GameCounts::from([(([0, 1], 2), 10), (([1, 0], 0), 10)]), 2);
        assert!(elo[0] - elo[1] > 400.0 && elo[0].is_finite(), "{elo:?}");
    }
}
