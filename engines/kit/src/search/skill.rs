//! Playing strength: full, or a number of Elo points above a player that moves at random.
//!
//! A weak player errs in two ways. It sees only some of the legal moves, chosen at random in each position: an only good
//! move is missed more often than one of several, and a move that wins at once less often than any other. And it
//! searches the moves that it sees to a fixed number of nodes, so it misses what is far away. Neither depends on the
//! time, on the machine, or on earlier searches.

use std::fmt;

use crate::hash::hash;
use crate::{Game, Notation, Outcome, PositionHistory};

/// A playing strength below the full one: how much a player sees, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// Elo points above a player that moves at random.
    pub elo: u32,
    /// Share of the legal moves that the player considers, in thousandths; it considers at least one.
    pub sight: u32,
    /// Nodes of its search.
    pub nodes: u64,
}

/// The playing strengths of a game below full strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    /// At least two rungs, in rising order. Strengths between two rungs are interpolated.
    pub rungs: &'static [Rung],
}

/// A playing strength as people see it: `level 5 (easy, Elo 480)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// From 0 to [`MAX_LEVEL`].
    pub number: u32,
    /// Elo points above a player that moves at random; `None` for full strength, which depends on the time, and where
    /// they were not measured.
    pub elo: Option<u32>,
}

/// Words for levels, each with the lowest level that it describes.
pub const LEVEL_WORDS: [(&str, u32); 5] = [
    ("beginner", 0),
    ("easy", 4),
    ("club", 8),
    ("strong", 13),
    ("master", MAX_LEVEL),
];

/// The number of the level that plays at full strength.
pub const MAX_LEVEL: u32 = 20;

/// One move in a thousand.
const WHOLE: u32 = 1_000;

impl Rung {
    /// A player of this strength, with these limits.
    pub const fn new(elo: u32, sight: u32, nodes: u64) -> Rung {
        Rung { elo, sight, nodes }
    }
}

impl Level {
    /// A level of a game, with its Elo points if the game has a measured ladder.
    pub fn new(number: u32, ladder: Option<Ladder>) -> Level {
        let ladder = ladder.filter(|_| number < MAX_LEVEL);
        Level {
            number,
            elo: ladder.map(|ladder| ladder.elo_of_level(number)),
        }
    }

    /// The level in a word or two.
    pub fn words(self) -> &'static str {
        let mut words = LEVEL_WORDS.iter().rev();
        let found = words.find(|(_, lowest)| *lowest <= self.number);
        found.map_or("", |(words, _)| words)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {} ({}", self.number, self.words())?;
        if let Some(elo) = self.elo {
            write!(f, ", Elo {elo}")?;
        }
        f.write_str(")")
    }
}

impl Ladder {
    /// A ladder that suits no game in particular: its levels rise, but by unequal steps.
    pub const UNMEASURED: Ladder = Ladder {
        rungs: &[
            Rung::new(0, 5, 5),
            Rung::new(500, 300, 40),
            Rung::new(1_000, 700, 300),
            Rung::new(1_500, 1_000, 4_000),
        ],
    };

    /// Elo points between two levels.
    pub fn step(&self) -> f64 {
        let [low, high] = [0, MAX_LEVEL].map(|level| f64::from(self.elo_of_level(level)));
        (high - low) / f64::from(MAX_LEVEL)
    }

    /// The level whose number of Elo points is the nearest.
    pub fn nearest_level(&self, elo: f64) -> u32 {
        let steps = (elo - f64::from(self.elo_of_level(0))) / self.step();
        steps.round().clamp(0.0, f64::from(MAX_LEVEL)) as u32
    }

    /// The Elo points of a level from 0 to [`MAX_LEVEL`]: equal steps from the lowest rung to the highest.
    pub fn elo_of_level(&self, level: u32) -> u32 {
        let [low, high] = [self.rungs.first(), self.rungs.last()];
        let [low, high] = [low, high].map(|rung| rung.expect("a ladder has rungs").elo);
        low + ((high - low) * level + MAX_LEVEL / 2) / MAX_LEVEL
    }

    /// The player with this number of Elo points, at least those of the lowest rung and at most those of the highest.
    pub fn at_elo(&self, elo: u32) -> Rung {
        let above = self.rungs.iter().position(|rung| rung.elo >= elo);
        let above = above.unwrap_or(self.rungs.len() - 1).max(1);
        let [low, high] = [self.rungs[above - 1], self.rungs[above]];
        let elo = elo.clamp(low.elo, high.elo);
        let [part, whole] = [elo, high.elo].map(|elo| u64::from(elo - low.elo));
        let between = |low: u64, high: u64| (low * (whole - part) + high * part) / whole;
        Rung {
            elo,
            sight: between(low.sight.into(), high.sight.into()) as u32,
            nodes: between(low.nodes, high.nodes),
        }
    }

    /// The player of a level; `None` is full strength, that of [`MAX_LEVEL`].
    pub fn at_level(&self, level: u32) -> Option<Rung> {
        (level < MAX_LEVEL).then(|| self.at_elo(self.elo_of_level(level)))
    }
}

impl Rung {
    /// The moves that the player sees, at least one. The choice depends only on the position and the seed.
    pub(super) fn seen<G: Notation>(
        self,
        history: &PositionHistory<G>,
        moves: &[String],
        seed: u64,
    ) -> Vec<String> {
        let mut rng = random(history, seed);
        let is_seen = |rng: &mut fastrand::Rng, overlooked: u32| rng.u32(..WHOLE) >= overlooked;
        let overlooked = WHOLE - self.sight;
        let mut seen = Vec::new();
        for (code, mv) in moves.iter().zip(history.legal(moves)) {
            if is_win(history, mv) {
                let overlooked = overlooked.pow(3) / WHOLE.pow(2);
                if is_seen(&mut rng, overlooked) {
                    seen = vec![code.clone()];
                    break;
                }
            } else if is_seen(&mut rng, overlooked) {
                seen.push(code.clone());
            }
        }
        if seen.is_empty() {
            seen.extend(rng.choice(moves).cloned());
        }
        seen
    }
}

/// Random numbers that depend on the position and the seed.
pub(super) fn random<G: Game>(history: &PositionHistory<G>, seed: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(hash([history.search_key(), history.ply() as u64, seed]))
}

/// `true` if the move wins at once.
fn is_win<G: Game>(history: &PositionHistory<G>, mv: G::Move) -> bool {
    let game = history.game();
    let mut position = history.position().clone();
    game.play(&mut position, mv);
    game.outcome(&position) == Some(Outcome::Win(history.side()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: Ladder = Ladder {
        rungs: &[
            Rung::new(100, 20, 1),
            Rung::new(500, 420, 101),
            Rung::new(1_000, 1_000, 1_101),
        ],
    };

    #[test]
    fn strengths_between_two_rungs_are_interpolated() {
        assert_eq!(LADDER.at_elo(0), Rung::new(100, 20, 1));
        assert_eq!(LADDER.at_elo(300), Rung::new(300, 220, 51));
        assert_eq!(LADDER.at_elo(500), Rung::new(500, 420, 101));
        assert_eq!(LADDER.at_elo(750), Rung::new(750, 710, 601));
        assert_eq!(LADDER.at_elo(5_000), Rung::new(1_000, 1_000, 1_101));
    }

    #[test]
    fn levels_are_equal_steps_up_to_full_strength() {
        let elo = |level| LADDER.elo_of_level(level);
        assert_eq!([0, 1, 10, 19, 20].map(elo), [100, 145, 550, 955, 1_000]);
        assert_eq!(LADDER.at_level(10), Some(LADDER.at_elo(550)));
        assert_eq!(LADDER.at_level(20), None);
        let elos = [-500.0, 100.0, 122.0, 123.0, 960.0, 5_000.0];
        let levels = elos.map(|elo| LADDER.nearest_level(elo));
        assert_eq!(levels, [0, 0, 0, 1, 19, 20]);
    }

    #[test]
    fn levels_are_named_by_number_word_and_elo() {
        let name = |number, ladder| Level::new(number, ladder).to_string();
        assert_eq!(name(0, Some(LADDER)), "level 0 (beginner, Elo 100)");
        assert_eq!(name(12, Some(LADDER)), "level 12 (club, Elo 640)");
        assert_eq!(name(20, Some(LADDER)), "level 20 (master)");
        assert_eq!(name(5, None), "level 5 (easy)");
    }
}
