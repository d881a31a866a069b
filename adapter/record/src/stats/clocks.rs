//! Time use by player.

use std::time::Duration;

use kit::Side;
use serde::Serialize;

use crate::clock::{Clock, Limit};
use crate::game::{GameRecord, GameResult, Termination};

/// The time use of one player in a list of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeUse {
    /// The player.
    pub name: String,
    /// Number of timed moves.
    pub moves: u64,
    /// Games lost on time.
    pub forfeits: u64,
    /// The largest overrun of a move in seconds. Negative if no move overran: then it is minus the smallest time left.
    /// Excludes moves that lost on time, whose duration is unknown.
    pub overrun: f64,
}

impl TimeUse {
    pub(super) fn new(name: &str) -> TimeUse {
        TimeUse {
            name: name.to_owned(),
            moves: 0,
            forfeits: 0,
            overrun: f64::NEG_INFINITY,
        }
    }

    /// Counts a move of this many seconds, before which the clock had this time left.
    pub(super) fn count_move(&mut self, seconds: f64, before: Duration) {
        self.moves += 1;
        self.overrun = self.overrun.max(seconds - before.as_secs_f64());
    }

    /// Counts the ending of a game that the player played on this side.
    pub(super) fn count_ending(&mut self, game: &GameRecord, side: Side) {
        let lost_on_time = game.termination == Termination::TimeForfeit
            && game.result == GameResult::win(side.other());
        self.forfeits += u64::from(lost_on_time);
    }
}

/// Replays the clock of one side through a game. Calls `on_move` for each of its timed moves with the seconds used and
/// the time left before and after the move.
pub(super) fn replay(
    game: &GameRecord,
    side: Side,
    limit: Limit,
    mut on_move: impl FnMut(f64, Duration, Duration),
) {
    let scale = game.machine.as_ref().map_or(1.0, |machine| machine.scale);
    // The margin was applied during the game; with a huge one no move oversteps here.
    let mut clock = Clock::new(limit.scaled(scale), Duration::MAX / 4);
    let mut next = game.first;
    for ply in &game.plies {
        let mover = next;
        next = mover.other();
        let Some(ply) = ply else {
            continue;
        };
        // Clamp the time: a record may contain any number.
        let elapsed = Duration::from_secs_f64(ply.time.clamp(0.0, 1e9));
        if mover == side {
            let before = clock.left();
            let _ = clock.spend(elapsed);
            on_move(elapsed.as_secs_f64(), before, clock.left());
        } else {
            clock.gain(elapsed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Machine, PlyRecord};
    use crate::opening::position::Opening;
    use crate::stats::thinking::ThinkingTimes;

    fn game(times: &[f64], result: GameResult, termination: Termination) -> GameRecord {
        let ply = |&time: &f64| {
            Some(PlyRecord {
                time,
                ..PlyRecord::default()
            })
        };
        GameRecord {
            game: 1,
            pair: 1,
            p1: "A".to_owned(),
            p2: "B".to_owned(),
            first: Side::P1,
            opening: Opening::default(),
            moves: vec!["x".to_owned(); times.len()],
            result,
            termination,
            reason: String::new(),
            plies: times.iter().map(ply).collect(),
            date: String::new(),
            notes: Vec::new(),
            fault: None,
            machine: None,
        }
    }

    fn time_use(players: &[(&str, Limit)], games: &[GameRecord]) -> Vec<TimeUse> {
        let named = players.iter();
        let named = named.map(|(name, limit)| ((*name).to_owned(), *limit));
        let mut times = ThinkingTimes::new(named);
        games.iter().for_each(|game| times.count(game));
        times.timed().collect()
    }

    /// B moves first, by the position.
    #[test]
    fn times_are_those_of_the_side_that_moved() {
        let limit: Limit = "tc=1+0.1".parse().expect("a limit");
        let mut game = game(&[0.7, 0.2, 0.41], GameResult::P1Win, Termination::Normal);
        game.first = Side::P2;
        let used = time_use(&[("A", limit), ("B", limit), ("human #2", limit)], &[game]);
        assert_eq!(used.len(), 2, "human #2 did not play: {used:?}");
        assert_eq!((used[0].moves, used[1].moves), (1, 2));
        assert!((used[0].overrun + 0.8).abs() < 1e-9, "{used:?}");
        assert!((used[1].overrun - 0.01).abs() < 1e-9, "{used:?}");
    }

    #[test]
    fn the_largest_overrun_is_over_what_the_clock_had_left() {
        let limit: Limit = "tc=1+0.1".parse().expect("a limit");
        // A: 1.0 left, uses 0.7; 0.4 left, uses 0.41. B: uses 0.2, then 0.1 of 0.9.
        let games = [game(
            &[0.7, 0.2, 0.41, 0.1],
            GameResult::P1Win,
            Termination::Normal,
        )];
        let used = time_use(&[("A", limit), ("B", limit)], &games);
        assert_eq!((used[0].moves, used[0].forfeits), (2, 0));
        assert!((used[0].overrun - 0.01).abs() < 1e-9, "{used:?}");
        assert!((used[1].overrun + 0.8).abs() < 1e-9, "{used:?}");
    }

    #[test]
    fn a_slower_machine_has_more_time() {
        let limit: Limit = "st=0.1".parse().expect("a limit");
        let mut slow = game(&[0.15], GameResult::P1Win, Termination::Normal);
        slow.machine = Some(Machine {
            name: "slow".to_owned(),
            worker: String::new(),
            scale: 2.0,
        });
        let used = time_use(&[("A", limit)], &[slow]);
        assert!((used[0].overrun + 0.05).abs() < 1e-9, "{used:?}");
    }

    #[test]
    fn an_hourglass_is_counted_with_the_moves_of_both() {
        let limit: Limit = "hourglass=1".parse().expect("a limit");
        // A: 1.0 left, uses 0.9; gains 0.5; 0.6 left, uses 0.7.
        let games = [game(
            &[0.9, 0.5, 0.7],
            GameResult::P1Win,
            Termination::Normal,
        )];
        let used = time_use(&[("A", limit), ("B", limit)], &games);
        assert!((used[0].overrun - 0.1).abs() < 1e-9, "{used:?}");
        assert!((used[1].overrun + 1.4).abs() < 1e-9, "{used:?}");
    }

    #[test]
    fn forfeits_are_the_losers() {
        let limit: Limit = "st=0.1".parse().expect("a limit");
        let games = [game(&[0.1], GameResult::P1Win, Termination::TimeForfeit)];
        let used = time_use(&[("A", limit), ("B", limit)], &games);
        assert_eq!((used[0].forfeits, used[1].forfeits), (0, 1));
    }

    #[test]
    fn nodes_are_no_clock() {
        let limit: Limit = "nodes=5".parse().expect("a limit");
        assert!(time_use(&[("A", limit)], &[]).is_empty());
    }
}
