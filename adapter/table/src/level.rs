//! The playing strength of the built-in engines, and the level that follows a person's results, so that games become even.
//!
//! The person has a rating in Elo points over a player that moves at random, the unit of the levels. After each game it
//! moves by Elo's formula; the factor is large in the first games. The next level is the one nearest to the rating.

use std::str::FromStr;
use std::{fmt, io};

use kit::Side;
use kit::search::{Ladder, MAX_LEVEL};
use kit::session::{DEFAULT_ELO, ELO, LIMIT_STRENGTH, SKILL_LEVEL};
use record::engine_spec::{EngineSpec, Program};
use record::game::GameResult;
use record::opening::Opening;
use record::stats::Wdl;
use serde::{Deserialize, Serialize};

use crate::error::{Done, TableError, failed};
use crate::journal::JournalEntry;
use crate::model::{Amount, Mover, Ply, Refusal, TableEvent};
use crate::seat::{Holder, Seat, set_level};
use crate::state::Table;

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
#[serde(rename_all = "kebab-case")]
pub enum LevelChoice {
    /// Follows the person's results.
    Adaptive,
    /// From 0 to [`MAX_LEVEL`].
    #[serde(untagged)]
    Fixed(u32),
}

impl FromStr for LevelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<LevelChoice, String> {
        if text.eq_ignore_ascii_case("adaptive") {
            return Ok(LevelChoice::Adaptive);
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
            LevelChoice::Adaptive => f.write_str("adaptive"),
        }
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

impl Table {
    /// Sets the playing strength of the engines.
    pub(super) fn choose_level(&mut self, choice: LevelChoice) -> Done {
        let (level, is_adaptive) = match choice {
            LevelChoice::Fixed(level) => (level, false),
            LevelChoice::Adaptive => (self.rating()?.level(self.ladder()), true),
        };
        Amount::Level.check(level.into(), 0.0..=MAX_LEVEL.into())?;
        self.set_level(level)?;
        self.is_adaptive = is_adaptive;
        self.tell_all(TableEvent::LevelChanged { level, is_adaptive });
        Ok(())
    }

    /// Forgets the person's results in this game.
    pub(super) fn forget_results(&mut self) -> Done {
        self.store_rating(None)?;
        self.send_note("follows no earlier game".to_owned());
        match self.is_adaptive {
            true => self.choose_level(LevelChoice::Adaptive),
            false => Ok(()),
        }
    }

    /// Counts a finished game for the person's rating, and sets the level of the next game. A failure only ends the
    /// adaptation.
    pub(super) fn adapt(&mut self, result: GameResult) {
        if let Err(error) = self.try_adapt(result) {
            self.is_adaptive = false;
            self.send_note(format!("ends: {error}"));
        }
    }

    fn send_note(&mut self, text: String) {
        let note = TableEvent::note("level adaptive", text);
        self.tell_all(note);
    }

    fn try_adapt(&mut self, result: GameResult) -> Done {
        let Some(person) = self.rated_side().filter(|_| self.is_adaptive) else {
            return Ok(());
        };
        let (Some(score), Some(level)) = (score(result, person), self.level) else {
            return Ok(());
        };
        let (ladder, mut rating) = (self.ladder(), self.rating()?);
        rating.count(ladder, level, score);
        self.store_rating(Some(rating))?;
        match rating.level(ladder) {
            next if next != level => self.choose_level(LevelChoice::Adaptive),
            _ => Ok(()),
        }
    }

    /// The side of the host, if a built-in engine plays the other side, and each made all of their moves and at least
    /// one move was made. An engine that learns has another strength than its level's, and a game from another position
    /// than the start may be won from the beginning, as that of a puzzle.
    fn rated_side(&self) -> Option<Side> {
        let is_whole =
            self.seats.iter().all(|seats| seats.len() == 1) && self.opening == Opening::default();
        let person = Side::BOTH.into_iter().find(|side| {
            let [own, other] = [*side, side.other()].map(|side| self.seat_id(side));
            let is_hosts = matches!(self.seat_at(own).holder, Holder::Host);
            let spec = &self.seat_at(other).spec;
            let is_engines = spec.program == Program::Builtin && spec.learning_file().is_none();
            self.is_persons(own) && is_hosts && !self.is_persons(other) && is_engines
        })?;
        let mut moves = self.tree.line().peekable();
        let is_own = |ply: &Ply| (ply.side == person) == (ply.by == Mover::Person);
        let is_played = moves.peek().is_some() && moves.all(is_own);
        (is_whole && is_played).then_some(person)
    }

    fn ladder(&self) -> Ladder {
        self.rules.ladder().unwrap_or(Ladder::UNMEASURED)
    }

    fn rating(&self) -> Result<Rating, TableError> {
        let ratings = self.setup.ratings.as_ref().ok_or(Refusal::NoRatings)?;
        let rating = ratings.load(&self.rules.spec().to_string());
        Ok((rating.map_err(failed)?).unwrap_or_else(|| Rating::first(self.ladder())))
    }

    fn store_rating(&self, rating: Option<Rating>) -> Done {
        if let Some(ratings) = &self.setup.ratings {
            let stored = ratings.store(&self.rules.spec().to_string(), rating);
            stored.map_err(failed)?;
        }
        Ok(())
    }

    fn set_level(&mut self, level: u32) -> Done {
        self.set_running(SKILL_LEVEL, &level.to_string())?;
        let seats = self.seats.iter_mut().flatten();
        let seats = seats.filter(|seat| has_elo(&seat.spec));
        for engine in seats.filter_map(|seat| seat.engine.as_mut()) {
            let rejected = |reason| Refusal::Engine { reason };
            engine
                .set_option(LIMIT_STRENGTH, "false")
                .map_err(rejected)?;
        }
        self.note(&JournalEntry::Level(level))?;
        let seats = self.seats.iter_mut().flatten();
        set_level(seats.map(|seat| &mut seat.spec), level);
        let planned = self.setup.plan.engines.iter_mut();
        set_level(planned.chain([&mut self.setup.helper]), level);
        self.level = Some(level);
        Ok(())
    }

    /// Sets an option of the helper, which moves for people.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Done {
        self.set_running(name, value)?;
        self.setup.helper.set(name, value.to_owned());
        for seat in self.seats.iter_mut().flatten() {
            seat.spec.set(name, value.to_owned());
        }
        Ok(())
    }

    /// Sets an option of the running engines. All accept it, or none gets it.
    fn set_running(&mut self, name: &str, value: &str) -> Done {
        let rejected = |reason| Refusal::Engine { reason };
        for engine in self.all_seats().filter_map(|seat| seat.engine.as_ref()) {
            engine.check_option(name, value).map_err(rejected)?;
        }
        let seats = self.seats.iter_mut().flatten();
        for engine in seats.filter_map(|seat| seat.engine.as_mut()) {
            engine.set_option(name, value).map_err(rejected)?;
        }
        Ok(())
    }
}

/// `true` if `UCI_Elo` decides the strength of a built-in engine.
fn has_elo(spec: &EngineSpec) -> bool {
    let value = spec.number::<String>(LIMIT_STRENGTH);
    spec.program == Program::Builtin
        && value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The level shared by the built-in engines in the seats, or the helper's level if none has a seat; `None` for full
/// strength or different levels. That of an engine whose strength is `UCI_Elo` is the nearest one.
pub(super) fn level<'a>(
    seats: impl Iterator<Item = &'a Seat>,
    helper: &EngineSpec,
    ladder: Ladder,
) -> Option<u32> {
    let level_of = |spec: &EngineSpec| match has_elo(spec) {
        true => Some(ladder.nearest_level(spec.number(ELO).unwrap_or(DEFAULT_ELO.into()))),
        false => spec.number(SKILL_LEVEL),
    };
    let at_seats = seats.filter(|seat| seat.is_auto && seat.spec.program == Program::Builtin);
    let mut levels = at_seats.map(|seat| level_of(&seat.spec));
    let first = levels.next().unwrap_or_else(|| level_of(helper));
    first.filter(|_| levels.all(|level| level == first))
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
