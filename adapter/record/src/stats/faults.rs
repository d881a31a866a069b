//! Faults of engines.

use std::collections::{BTreeMap, VecDeque};

use kit::Side;
use serde::{Deserialize, Serialize};

use crate::game::{FaultReport, GameRecord, GameResult, Termination};

/// Number of faults kept in full.
const MAX_KEPT: usize = 10;

/// The faults of a match: counts for each player, and the last faults in full.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    counts: BTreeMap<String, FaultCounts>,
    /// Number of games whose result the engines disagreed about.
    pub(super) disagreements: u64,
    last: VecDeque<Fault>,
}

/// Numbers of games lost by faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FaultCounts {
    /// Illegal or unreadable moves, or a `bestmove` out of turn.
    pub illegal: u64,
    /// Losses on time.
    pub late: u64,
    /// Crashes and hangs.
    pub abandoned: u64,
}

/// A game that was lost by a fault, or whose result the engines disagreed about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Index of the file that contains the game.
    pub source: usize,
    /// The game's number.
    pub game: usize,
    /// The player at fault; `None` if the engines disagreed.
    pub player: Option<String>,
    /// The reason, in words.
    pub reason: String,
    /// The recorded lines that show the fault, if any.
    pub report: Option<FaultReport>,
}

impl FaultCounts {
    /// Counts a game with this kind of ending, if it is a fault of the loser.
    fn count(&mut self, termination: Termination) {
        match termination {
            Termination::RulesInfraction => self.illegal += 1,
            Termination::TimeForfeit => self.late += 1,
            Termination::Abandoned => self.abandoned += 1,
            Termination::Normal
            | Termination::Adjudication
            | Termination::Disagreement
            | Termination::Unterminated => {}
        }
    }

    /// The sum of all kinds.
    pub fn total(&self) -> u64 {
        self.illegal + self.late + self.abandoned
    }

    fn plus(self, other: &FaultCounts) -> FaultCounts {
        FaultCounts {
            illegal: self.illegal + other.illegal,
            late: self.late + other.late,
            abandoned: self.abandoned + other.abandoned,
        }
    }
}

impl Faults {
    pub(super) fn count(&mut self, source: usize, game: &GameRecord) {
        let player = match game.termination {
            Termination::Normal | Termination::Adjudication | Termination::Unterminated => return,
            Termination::Disagreement => {
                self.disagreements += 1;
                None
            }
            _ => loser(game),
        };
        if let Some(player) = player {
            let counts = self.counts.entry(player.to_owned()).or_default();
            counts.count(game.termination);
        }
        if self.last.len() == MAX_KEPT {
            self.last.pop_front();
        }
        self.last.push_back(Fault {
            source,
            game: game.game,
            player: player.map(str::to_owned),
            reason: game.reason.clone(),
            report: game.fault.clone(),
        });
    }

    /// The counts of players who lost a game by a fault, by name.
    pub fn counts(&self) -> impl ExactSizeIterator<Item = (&str, FaultCounts)> {
        let counts = self.counts.iter();
        counts.map(|(name, counts)| (name.as_str(), *counts))
    }

    /// The counts of all players together.
    pub(super) fn sum(&self) -> FaultCounts {
        self.counts
            .values()
            .fold(FaultCounts::default(), FaultCounts::plus)
    }

    /// The last faults, newest first.
    pub fn last(&self) -> impl ExactSizeIterator<Item = &Fault> {
        self.last.iter().rev()
    }
}

fn loser(game: &GameRecord) -> Option<&str> {
    if game.result == GameResult::win(Side::P1) {
        Some(&game.p2)
    } else if game.result == GameResult::win(Side::P2) {
        Some(&game.p1)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::summary::tests::record;

    #[test]
    fn faults_are_the_losers_and_the_last_ones_are_kept() {
        let mut faults = Faults::default();
        for game in 1..=25 {
            let mut record = record(game, GameResult::P1Win);
            record.termination = match game % 3 {
                0 => Termination::Normal,
                1 => Termination::TimeForfeit,
                _ => Termination::Abandoned,
            };
            faults.count(0, &record);
        }
        let counts: Vec<_> = faults.counts().collect();
        assert_eq!(counts.len(), 2, "A and B took turns: {counts:?}");
        let sum: u64 = counts.iter().map(|(_, counts)| counts.late).sum();
        assert_eq!(sum, 9);
        let last: Vec<_> = faults.last().map(|fault| fault.game).collect();
        assert_eq!(last, [25, 23, 22, 20, 19, 17, 16, 14, 13, 11]);
    }

    #[test]
    fn a_disagreement_is_nobodys_fault() {
        let mut faults = Faults::default();
        let mut record = record(1, GameResult::Unknown);
        record.termination = Termination::Disagreement;
        faults.count(0, &record);
        assert_eq!(faults.counts().len(), 0);
        assert_eq!(
            faults.last().next().and_then(|fault| fault.player.clone()),
            None
        );
    }
}
