//! The rounds of a Swiss match, with names and points for reports.

use serde::Serialize;

use crate::game::PlayedGame;
use crate::plan::Plan;
use crate::schedule::{Meeting, Place, Round, Schedule, places};

/// The rounds of a match so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundTable {
    /// The rounds that have begun.
    pub rounds: Vec<RoundRow>,
    /// The planned number of rounds.
    pub n_planned: usize,
    /// The ranking.
    pub places: Vec<PlaceRow>,
    /// Points of a bye in `places`.
    pub bye: f64,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundRow {
    /// The meetings of the round.
    pub meetings: Vec<MeetingRow>,
    /// The player with a bye.
    pub byes: Vec<String>,
}

/// The games of two players in one round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeetingRow {
    /// Their names.
    pub players: [String; 2],
    /// Their points.
    pub points: [f64; 2],
}

/// The rank of a player in a Swiss tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaceRow {
    /// The player.
    pub name: String,
    /// Points, including byes.
    pub points: f64,
    /// Buchholz tie-break: the sum of the opponents' points.
    pub buchholz: f64,
}

impl RoundTable {
    /// Builds the rounds from the games; `None` in a format without rounds, or if the games do not fit the plan.
    pub fn of<'a>(
        plan: &Plan,
        games: impl IntoIterator<Item = PlayedGame<'a>>,
    ) -> Option<RoundTable> {
        let n_planned = plan.format.rounds()?;
        let schedule = Schedule::resume(plan, games).ok()?;
        let (rounds, names) = (schedule.rounds(), plan.names());
        let name = |player: usize| names.get(player).cloned().unwrap_or_default();
        let meeting = |meeting: &Meeting| MeetingRow {
            players: meeting.players.map(name),
            points: meeting.halves.map(points),
        };
        let round = |round: &Round| RoundRow {
            meetings: round.meetings.iter().map(meeting).collect(),
            byes: round.bye.into_iter().map(name).collect(),
        };
        let place = |place: Place| PlaceRow {
            name: name(place.player),
            points: points(place.halves),
            buchholz: points(place.buchholz),
        };
        let places = places(names.len(), rounds, plan.games);
        Some(RoundTable {
            rounds: rounds.iter().map(round).collect(),
            n_planned,
            places: places.into_iter().map(place).collect(),
            bye: points(plan.games),
        })
    }
}

fn points(halves: usize) -> f64 {
    halves as f64 / 2.0
}
