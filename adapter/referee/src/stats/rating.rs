//! Ratings of any number of players, by maximum likelihood.
//!
//! The model is Bradley and Terry's on the Elo scale, with one term for moving first: player 1 is expected to score
//! `1 / (1 + 10^-((r1 - r2 + first) / 400))`; a draw is half a win and half a loss. Newton's method finds the
//! ratings whose mean is 0.

use serde::Serialize;

use super::Interval;
use super::elo::elo_to_score;
use crate::record::{GameRecord, GameResult};

/// One player's rating.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rating {
    /// The player.
    pub name: String,
    /// Elo above the mean of all players.
    pub elo: Interval,
    /// Games that count.
    pub games: u64,
}

/// The ratings of all players, the best first, and what moving first is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// The players.
    pub players: Vec<Rating>,
    /// Elo gained by moving first.
    pub first_move: Interval,
}

/// Weight of the prior that all players are equal, in games: it keeps a player who won everything from infinity.
const PRIOR: f64 = 1e-3;
const ROUNDS: usize = 200;
const Z95: f64 = 1.959_963_984_540_054;
const LN10_400: f64 = std::f64::consts::LN_10 / 400.0;

/// Rates all players of these games.
pub fn rate(games: &[GameRecord]) -> Ratings {
    let mut names: Vec<&str> = Vec::new();
    let mut index = |name| {
        names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
    };
    let results: Vec<(usize, usize, f64)> = games
        .iter()
        .filter_map(|game| Some((index(&game.p1), index(&game.p2), points(game.result)?)))
        .collect();
    let (elo, covariance) = solve(&results, names.len());
    let interval = |at: usize| Interval {
        value: elo[at],
        error: Z95 * covariance[at][at].max(0.0).sqrt(),
    };
    let mut players: Vec<Rating> = names
        .iter()
        .enumerate()
        .map(|(at, name)| Rating {
            name: (*name).to_owned(),
            elo: interval(at),
            games: results
                .iter()
                .filter(|(p1, p2, _)| *p1 == at || *p2 == at)
                .count() as u64,
        })
        .collect();
    players.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
    Ratings {
        players,
        first_move: interval(names.len()),
    }
}

fn points(result: GameResult) -> Option<f64> {
    match result {
        GameResult::P1Win => Some(1.0),
        GameResult::P2Win => Some(0.0),
        GameResult::Draw => Some(0.5),
        GameResult::Unknown => None,
    }
}

type Matrix = Vec<Vec<f64>>;

/// The likeliest parameters, the first-move term last, and their covariance, in Elo.
fn solve(results: &[(usize, usize, f64)], n_players: usize) -> (Vec<f64>, Matrix) {
    /// No step goes further: far from the solution the likelihood is nearly flat.
    const MAX_STEP: f64 = 200.0;
    let mut elo = vec![0.0; n_players + 1];
    let mut inverse = Matrix::new();
    for _ in 0..ROUNDS {
        let (gradient, information) = slope(results, &elo);
        inverse = invert(&information);
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        let length = step
            .iter()
            .fold(0.0, |most: f64, step| most.max(step.abs()));
        let damping = (MAX_STEP / length).min(1.0);
        elo.iter_mut()
            .zip(&step)
            .for_each(|(elo, step)| *elo += damping * step);
        if length < 1e-9 {
            break;
        }
    }
    (elo, inverse)
}

/// Gradient of the log-likelihood and Fisher's information, by Elo.
fn slope(results: &[(usize, usize, f64)], elo: &[f64]) -> (Vec<f64>, Matrix) {
    let first = elo.len() - 1;
    let mut gradient: Vec<f64> = elo
        .iter()
        .map(|elo| -PRIOR * LN10_400 * LN10_400 * elo)
        .collect();
    // The likelihood does not see a common shift of all ratings: this holds their mean at 0.
    let mut information = vec![vec![1.0; elo.len()]; elo.len()];
    information[first].fill(0.0);
    for (at, row) in information.iter_mut().enumerate() {
        row[first] = 0.0;
        row[at] += PRIOR * LN10_400 * LN10_400;
    }
    for &(p1, p2, points) in results {
        let expected = elo_to_score(elo[p1] - elo[p2] + elo[first]);
        let parts = [(p1, 1.0), (p2, -1.0), (first, 1.0)];
        let weight = expected * (1.0 - expected) * LN10_400 * LN10_400;
        for (at, sign) in parts {
            gradient[at] += sign * (points - expected) * LN10_400;
            for (other, other_sign) in parts {
                information[at][other] += sign * other_sign * weight;
            }
        }
    }
    (gradient, information)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric positive definite matrix, by Cholesky's decomposition.
fn invert(matrix: &Matrix) -> Matrix {
    let lower = cholesky(matrix);
    let n = matrix.len();
    let columns = (0..n).map(|column| {
        let mut unit = vec![0.0; n];
        unit[column] = 1.0;
        solve_cholesky(&lower, unit)
    });
    // The inverse is symmetric as well: its columns are its rows.
    columns.collect()
}

/// The lower triangle `L` with `L Lᵀ = matrix`. Shape: row `i` has `i + 1` entries.
fn cholesky(matrix: &Matrix) -> Matrix {
    let mut lower = Matrix::new();
    for (row, entries) in matrix.iter().enumerate() {
        let mut own = Vec::with_capacity(row + 1);
        for (column, above) in lower.iter().enumerate() {
            own.push((entries[column] - dot(&own, above)) / above[column]);
        }
        own.push((entries[row] - dot(&own, &own)).sqrt());
        lower.push(own);
    }
    lower
}

/// The `x` with `L Lᵀ x = right`.
fn solve_cholesky(lower: &Matrix, mut right: Vec<f64>) -> Vec<f64> {
    for row in 0..right.len() {
        right[row] = (right[row] - dot(&lower[row][..row], &right)) / lower[row][row];
    }
    for row in (0..right.len()).rev() {
        let below: f64 = (row + 1..right.len())
            .map(|other| lower[other][row] * right[other])
            .sum();
        right[row] = (right[row] - below) / lower[row][row];
    }
    right
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

    fn results(table: &[(usize, usize, f64, usize)]) -> Vec<(usize, usize, f64)> {
        let repeat = |&(p1, p2, points, n): &(usize, usize, f64, usize)| vec![(p1, p2, points); n];
        table.iter().flat_map(repeat).collect()
    }

    /// Two players, each first equally often, 75 %: 400 log10(3) = 190.85 apart.
    #[test]
    fn three_to_one_is_190_elo() {
        let table = [
            (0, 1, 1.0, 75),
            (0, 1, 0.0, 25),
            (1, 0, 0.0, 75),
            (1, 0, 1.0, 25),
        ];
        let (elo, covariance) = solve(&results(&table), 2);
        assert!((elo[0] - elo[1] - 190.85).abs() < 0.1, "{elo:?}");
        assert!(
            (elo[0] + elo[1]).abs() < 1e-6 && elo[2].abs() < 1e-6,
            "{elo:?}"
        );
        // By hand: the standard error of the difference is 1 / (sqrt(200 * 3/16) ln10/400) = 28.37.
        assert!(
            (covariance[0][0].sqrt() * 2.0 - 28.37).abs() < 0.1,
            "{covariance:?}"
        );
    }

    #[test]
    fn moving_first_is_told_from_being_strong() {
        let table = [
            (0, 1, 1.0, 75),
            (0, 1, 0.0, 25),
            (1, 0, 1.0, 75),
            (1, 0, 0.0, 25),
        ];
        let (elo, _) = solve(&results(&table), 2);
        assert!(
            (elo[0] - elo[1]).abs() < 1e-6 && (elo[2] - 190.85).abs() < 0.1,
            "{elo:?}"
        );
    }

    #[test]
    fn a_chain_adds_up() {
        let table = [
            (0, 1, 1.0, 75),
            (0, 1, 0.0, 25),
            (1, 0, 0.0, 75),
            (1, 0, 1.0, 25),
            (1, 2, 1.0, 75),
            (1, 2, 0.0, 25),
            (2, 1, 0.0, 75),
            (2, 1, 1.0, 25),
        ];
        let (elo, _) = solve(&results(&table), 3);
        assert!(
            (elo[0] - elo[2] - 381.7).abs() < 0.2 && elo[1].abs() < 1e-3,
            "{elo:?}"
        );
    }

    #[test]
    fn who_wins_everything_is_far_ahead_but_not_infinitely() {
        let (elo, _) = solve(&results(&[(0, 1, 1.0, 10), (1, 0, 0.0, 10)]), 2);
        assert!(elo[0] - elo[1] > 400.0 && elo[0].is_finite(), "{elo:?}");
    }
}
