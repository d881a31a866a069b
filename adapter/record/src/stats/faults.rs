//! Faults of engines.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::game::{FaultReport, GameRecord, GameResult, Termination};

/// Number of faults kept in full.
const MAX_KEPT: usize = 10;

/// The faults of a match: counts for each player, and the last faults in full.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// The counts of players who lost a game by a fault, by name.
    pub counts: BTreeMap<String, FaultCounts>,
    /// The counts of all players together.
    pub(super) total: FaultCounts,
    /// Number of games whose result the engines disagreed about.
    pub(super) disagreements: u64,
    /// The last faults, newest first.
    pub last: VecDeque<Fault>,
}

/// Numbers of games lost by faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The reason, in words.
    pub reason: String,
    /// The recorded lines that show the fault, if any.
    pub report: Option<FaultReport>,
}

impl FaultCounts {
    /// The sum of all kinds.
    pub fn total(&self) -> u64 {
        self.illegal + self.late + self.abandoned
    }
}

impl Faults {
    pub(super) fn count(&mut self, source: usize, game: &GameRecord) {
        let add = |counts: &mut FaultCounts| match game.termination {
            Termination::RulesInfraction => counts.illegal += 1,
            Termination::TimeForfeit => counts.late += 1,
            _ => counts.abandoned += 1,
        };
        let player = match (game.termination, game.result) {
            (Termination::Normal | Termination::Adjudication | Termination::Unterminated, _) => {
                return;
            }
            (Termination::Disagreement, _) => None,
            (_, GameResult::P1Win) => Some(&game.p2),
            (_, GameResult::P2Win) => Some(&game.p1),
            _ => None,
        };
        self.disagreements += u64::from(game.termination == Termination::Disagreement);
        if let Some(player) = player {
            add(&mut self.total);
            add(self.counts.entry(player.clone()).or_default());
        }
        self.last.truncate(MAX_KEPT - 1);
        self.last.push_front(Fault {
            source,
            game: game.game,
            reason: game.reason.clone(),
            report: game.fault.clone(),
        });
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
        let counts: Vec<_> = faults.counts.iter().collect();
        assert_eq!(counts.len(), 2, "A and B took turns: {counts:?}");
        let sum: u64 = counts.iter().map(|(_, counts)| counts.late).sum();
        assert_eq!(sum, 9);
        let last: Vec<_> = faults.last.iter().map(|fault| fault.game).collect();
        assert_eq!(last, [25, 23, 22, 20, 19, 17, 16, 14, 13, 11]);
    }

    #[test]
    fn a_disagreement_is_nobodys_fault() {
        let mut faults = Faults::default();
        let mut record = record(1, GameResult::Unknown);
        record.termination = Termination::Disagreement;
        faults.count(0, &record);
        assert_eq!(faults.counts.len(), 0);
    }
}
