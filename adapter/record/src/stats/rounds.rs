//! The rounds of a Swiss or knockout match, with names and points for reports.

use serde::Serialize;

use crate::finished::Finished;
use crate::format::Format;
use crate::plan::Plan;
use crate::schedule::{Meeting, Place, Round, Schedule};

/// The rounds of a match so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundTable {
    /// The rounds that have begun.
    pub rounds: Vec<RoundRow>,
    /// The planned number of rounds.
    pub n_planned: usize,
    /// The ranking of a Swiss tournament; empty for a knockout.
    pub places: Vec<PlaceRow>,
    /// Points of a bye in `places`.
    pub bye: f64,
    /// The winner of a knockout; `None` before its end.
    pub winner: Option<String>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundRow {
    /// The meetings of the round.
    pub meetings: Vec<MeetingRow>,
    /// Players with a bye.
    pub byes: Vec<String>,
}

/// The games of two players in one round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeetingRow {
    /// Their names.
    pub players: [String; 2],
    /// Their points in the planned games.
    pub points: [f64; 2],
    /// Their points in play-offs after a tie; `None` without play-offs.
    pub further: Option<[f64; 2]>,
    /// The player who advanced by seed because the play-offs ended in a tie.
    pub by_rank: Option<String>,
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
        games: impl IntoIterator<Item = Finished<'a>>,
    ) -> Option<RoundTable> {
        if !plan.format.has_rounds() {
            return None;
        }
        let schedule = Schedule::replay(plan, games).ok()?;
        let rounds = schedule.rounds()?;
        let entrants = plan.entrants();
        let name = |entrant: usize| plan.entrant_name(&entrants[entrant]).unwrap_or_default();
        let is_over = |at: usize| rounds.is_over || at + 1 < rounds.rounds.len();
        let by_rank = |at: usize, meeting: &Meeting| {
            let is_drawn = meeting.n_play_offs > 0 && meeting.is_tied() && is_over(at);
            is_drawn.then(|| name(meeting.winner()))
        };
        let row = |at: usize, meeting: &Meeting| MeetingRow {
            players: meeting.players.map(name),
            points: meeting.halves.map(points),
            further: (meeting.n_play_offs > 0).then(|| meeting.play_off_halves.map(points)),
            by_rank: by_rank(at, meeting),
        };
        let round = |(at, round): (usize, &Round)| RoundRow {
            meetings: round
                .meetings
                .iter()
                .map(|meeting| row(at, meeting))
                .collect(),
            byes: round.byes.iter().map(|entrant| name(*entrant)).collect(),
        };
        let place = |place: Place| PlaceRow {
            name: name(place.entrant),
            points: points(place.halves),
            buchholz: points(place.buchholz),
        };
        let places = match plan.format {
            Format::Swiss { .. } => rounds.places(),
            _ => Vec::new(),
        };
        Some(RoundTable {
            rounds: rounds.rounds.iter().enumerate().map(round).collect(),
            n_planned: rounds.n_planned(),
            places: places.into_iter().map(place).collect(),
            bye: points(rounds.games),
            winner: rounds.champion().map(name),
        })
    }
}

fn points(halves: usize) -> f64 {
    halves as f64 / 2.0
}
