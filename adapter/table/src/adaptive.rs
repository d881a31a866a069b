//! The level that follows a person's results, so that games become even.
//!
//! The person has a rating in Elo points over a player that moves at random, the unit of the levels. After each game it
//! moves by Elo's formula; the factor is large in the first games. The next level is the one nearest to the rating.

use std::fmt;
use std::io;
use std::str::FromStr;

use kit::Side;
use kit::search::{Ladder, MAX_LEVEL};
use kit::session::{LIMIT_STRENGTH, SKILL_LEVEL};
use record::engine_spec::{EngineSpec, Program};
use record::game::GameResult;
use record::stats::Wdl;
use serde::{Deserialize, Serialize};

/// Level of a person's first game.
pub const FIRST_LEVEL: u32 = 3;

/// Elo's factor in the first game, in levels. A win against an equal raises the rating by half of it.
const FIRST_FACTOR: f64 = 6.0;

/// Lower limit of the factor.
const LEAST_FACTOR: f64 = 1.5;

/// Factor's share left after each game.
const DECAY: f64 = 0.85;

/// A choice of the engines' playing strength: `5`, or `adaptive`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LevelChoice {
    /// From 0 to [`MAX_LEVEL`].
    Fixed(u32),
    /// Follows the person's results.
    Adaptive(AdaptiveWord),
}

/// The word for a level that follows the person's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AdaptiveWord {
    /// `adaptive`.
    Adaptive,
}

impl LevelChoice {
    /// A level that follows the person's results.
    pub const ADAPTIVE: LevelChoice = LevelChoice::Adaptive(AdaptiveWord::Adaptive);
}

impl FromStr for LevelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<LevelChoice, String> {
        if text.eq_ignore_ascii_case("adaptive") {
            return Ok(LevelChoice::ADAPTIVE);
        }
        let level = text.parse().ok().filter(|level| *level <= MAX_LEVEL);
        let level = level.map(LevelChoice::Fixed);
        level.ok_or_else(|| format!("write a whole number from 0 to {MAX_LEVEL}, or adaptive"))
    }
}

impl fmt::Display for LevelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelChoice::Fixed(level) => level.fmt(f),
            LevelChoice::Adaptive(_) => f.write_str("adaptive"),
        }
    }
}

/// Sets the level of those players that are built-in engines.
pub(super) fn set_level<'a>(players: impl Iterator<Item = &'a mut EngineSpec>, level: u32) {
    for spec in players.filter(|spec| spec.program == Program::Builtin) {
        spec.unset(LIMIT_STRENGTH);
        spec.set(SKILL_LEVEL, level.to_string());
    }
}

/// An estimate of a person's strength in a game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Elo points over a player that moves at random.
    pub elo: f64,
    /// Games counted.
    pub games: u32,
}

impl Rating {
    /// The estimate before the first game.
    pub fn first(ladder: Ladder) -> Rating {
        Rating {
            elo: f64::from(ladder.elo_of_level(FIRST_LEVEL)),
            games: 0,
        }
    }

    /// The level for the next game.
    pub fn level(self, ladder: Ladder) -> u32 {
        ladder.nearest_level(self.elo)
    }

    /// Counts a game against a level; `score` is the person's: 1, 0.5 or 0.
    pub fn count(&mut self, ladder: Ladder, level: u32, score: f64) {
        let factor = FIRST_FACTOR * DECAY.powi(self.games.min(100) as i32);
        let factor = factor.max(LEAST_FACTOR) * ladder.step();
        let lead = self.elo - f64::from(ladder.elo_of_level(level));
        let expected = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
        let [low, high] = [0, MAX_LEVEL].map(|level| f64::from(ladder.elo_of_level(level)));
        let elo = self.elo + factor * (score - expected);
        self.elo = elo.clamp(low - ladder.step(), high + ladder.step());
        self.games += 1;
    }
}

/// A side's score in a game with this result; `None` if there is no result.
pub fn score(result: GameResult, side: Side) -> Option<f64> {
    let wdl = Wdl::of(result, side);
    (wdl.games() > 0).then(|| wdl.score())
}

/// The store of this user's ratings. `game` is a game with its options, as on the command line.
pub trait Ratings: fmt::Debug + Send + Sync {
    /// Returns the rating in a game; `None` if no game was counted.
    ///
    /// # Errors
    /// The store cannot be read; the text names it.
    fn load(&self, game: &str) -> io::Result<Option<Rating>>;

    /// Stores the rating in a game; `None` forgets it.
    ///
    /// # Errors
    /// The store cannot be written; the text names it.
    fn store(&self, game: &str, rating: Option<Rating>) -> io::Result<()>;
}

#[cfg(test)]
mod tests {
    use kit::search::Rung;

    use super::*;

    const LADDER: Ladder = Ladder {
        rungs: &[Rung::new(50, 5, 5), Rung::new(1_650, 1_000, 1_000)],
    };

    /// Plays games of a person with this number of Elo points. Returns the mean level, and the person's score, over the
    /// games after the first 15.
    fn play(elo: f64, seed: u64) -> (f64, f64) {
        const N_FIRST: u32 = 15;
        const N_REST: u32 = 60;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut rating = Rating::first(LADDER);
        let (mut levels, mut points) = (0.0, 0.0);
        for game in 0..N_FIRST + N_REST {
            let level = rating.level(LADDER);
            let lead = elo - f64::from(LADDER.elo_of_level(level));
            let wins = rng.f64() < 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
            let score = f64::from(u8::from(wins));
            rating.count(LADDER, level, score);
            if game >= N_FIRST {
                levels += f64::from(level);
                points += score;
            }
        }
        let n = f64::from(N_REST);
        (levels / n, points / n)
    }

    #[test]
    fn the_level_converges_to_a_persons_strength() {
        for level in [0, 3, 7, 12, 17, 20] {
            let elo = f64::from(LADDER.elo_of_level(level));
            const N_PERSONS: u32 = 40;
            let played = (0..N_PERSONS).map(|seed| play(elo, seed.into()));
            let (levels, points): (Vec<f64>, Vec<f64>) = played.unzip();
            let [mean, score] =
                [&levels, &points].map(|values| values.iter().sum::<f64>() / f64::from(N_PERSONS));
            assert!((mean - f64::from(level)).abs() < 1.0, "{level}: {mean}");
            assert!((0.38..0.62).contains(&score), "{level}: {score}");
            let is_near = |mean: &f64| (mean - f64::from(level)).abs() < 2.5;
            assert!(levels.iter().all(is_near), "{level}: {levels:?}");
        }
    }

    #[test]
    fn a_person_beyond_the_ladder_gets_its_ends() {
        assert!(play(5_000.0, 1).0 > 19.9);
        assert!(play(-5_000.0, 1).0 < 0.1);
    }

    #[test]
    fn even_games_change_nothing() {
        let first = Rating::first(LADDER);
        let mut rating = first;
        rating.count(LADDER, first.level(LADDER), 0.5);
        assert_eq!((rating.elo, rating.games), (first.elo, 1));
    }
}
