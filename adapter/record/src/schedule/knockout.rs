//! Knockout pairings: the loser of a meeting is eliminated.

use super::round::{Meeting, Round};

/// Largest number of play-offs, each a pair of games, of a tied meeting. After them the better seed advances.
pub const MAX_PLAY_OFFS: usize = 10;

/// The step after a stage.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum KnockoutStep {
    /// The meetings of a new round, which was added to the rounds.
    Round(Vec<[usize; 2]>),
    /// The tied meetings of the last round, for a play-off of one more pair of games each.
    PlayOff(Vec<[usize; 2]>),
    /// The end: one entrant is left.
    End,
}

/// The next step after the rounds so far.
pub(super) fn next_step(seeding: &[usize], rounds: &mut Vec<Round>) -> KnockoutStep {
    let last = rounds.last_mut();
    let tied: Vec<[usize; 2]> = last
        .into_iter()
        .flat_map(|round| round.meetings.iter_mut().filter(|meeting| is_open(meeting)))
        .map(|meeting| {
            meeting.n_play_offs += 1;
            meeting.players
        })
        .collect();
    if !tied.is_empty() {
        return KnockoutStep::PlayOff(tied);
    }
    let field = field(seeding, rounds);
    if field.len() == 1 {
        return KnockoutStep::End;
    }
    let round = pair(seeding, &field);
    let meetings = round.pairings();
    rounds.push(round);
    KnockoutStep::Round(meetings)
}

fn is_open(meeting: &Meeting) -> bool {
    meeting.is_tied() && meeting.n_play_offs < MAX_PLAY_OFFS
}

/// The winner after all rounds.
pub(super) fn champion(seeding: &[usize], rounds: &[Round]) -> Option<usize> {
    field(seeding, rounds).first().copied().flatten()
}

/// The entrants left after some rounds, in bracket order; `None` for an empty place.
fn field(seeding: &[usize], rounds: &[Round]) -> Vec<Option<usize>> {
    let places = bracket(seeding.len().next_power_of_two());
    let first = places.into_iter().map(|seed| seeding.get(seed).copied());
    let mut field: Vec<Option<usize>> = first.collect();
    for round in rounds {
        let mut meetings = round.meetings.iter();
        let winner = |places: &[Option<usize>]| match places {
            [Some(_), Some(_)] => meetings.next().map(Meeting::winner),
            places => places.iter().copied().flatten().next(),
        };
        field = field.chunks(2).map(winner).collect();
    }
    field
}

/// The seeds, from 0, in the order of a bracket with `size` places, a power of two. Neighbours meet, and the two best
/// seeds can meet only in the last round.
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let n_next = 2 * seeds.len();
        seeds = seeds
            .into_iter()
            .flat_map(|seed| [seed, n_next - 1 - seed])
            .collect();
    }
    seeds
}

/// Pairs neighbours, the better seed first. An entrant without a neighbour has a bye.
fn pair(seeding: &[usize], field: &[Option<usize>]) -> Round {
    let seed = |entrant: &usize| seeding.iter().position(|known| known == entrant);
    let (mut pairings, mut byes) = (Vec::new(), Vec::new());
    for places in field.chunks(2) {
        match *places {
            [Some(a), Some(b)] if seed(&a) <= seed(&b) => pairings.push([a, b]),
            [Some(a), Some(b)] => pairings.push([b, a]),
            _ => byes.extend(places.iter().copied().flatten()),
        }
    }
    Round::new(pairings, byes)
}
