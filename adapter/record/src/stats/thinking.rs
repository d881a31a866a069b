//! Thinking times over the course of a game, and time use by player.

use std::time::Duration;

use kit::Side;
use serde::Serialize;

use crate::clock::{Clock, Limit};
use crate::game::{GameRecord, GameResult, Termination};

/// Moves of a player with a higher number are counted with this one.
const MAX_MOVES: usize = 2000;

/// The thinking time of one player in all its games. Its JSON is that of `stats --json`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ThinkingTime {
    /// The player.
    pub name: String,
    /// Number of timed moves.
    pub moves: u64,
    /// Games lost on time.
    pub forfeits: u64,
    /// The largest overrun of a move in seconds. Negative if no move overran: then it is minus the smallest time left.
    /// Excludes moves that lost on time, whose duration is unknown.
    pub overrun: f64,
    /// Its limit; `None` if unknown.
    #[serde(skip)]
    pub limit: Option<Limit>,
    /// Number of games with a timed move.
    #[serde(skip)]
    pub games: u64,
    /// Total thinking time in seconds.
    #[serde(skip)]
    pub seconds: f64,
    /// Longest move in seconds.
    #[serde(skip)]
    pub longest: f64,
    #[serde(skip)]
    by_move: Vec<MoveTime>,
}

/// The thinking times of a player for a range of move numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MoveTime {
    /// The first move number of the range, from 1.
    pub first: usize,
    /// Number of moves.
    pub moves: u64,
    /// Total time in seconds.
    seconds: f64,
    /// Sum over the moves of the time left on the clock after the move, as a fraction of the initial time.
    share_left: f64,
}

impl ThinkingTime {
    /// No games of a player.
    pub(super) fn new(name: &str) -> ThinkingTime {
        ThinkingTime {
            name: name.to_owned(),
            overrun: f64::NEG_INFINITY,
            ..ThinkingTime::default()
        }
    }

    /// `true` for a player with a time limit who has moved or lost on time, unlike one of a table whose guest took another
    /// name.
    pub fn is_timed(&self) -> bool {
        let has_limit = self.limit.is_some_and(|limit| limit.is_time());
        has_limit && (self.moves > 0 || self.forfeits > 0)
    }

    /// `true` if the player had a clock, for the whole game or for a number of moves.
    pub fn has_clock(&self) -> bool {
        matches!(self.limit, Some(Limit::Clock(..)))
    }

    /// Replays the clock of this side through a game.
    pub(super) fn count(&mut self, game: &GameRecord, side: Side) {
        let limit = self.limit.unwrap_or(Limit::Unlimited);
        let whole = Clock::new(limit, Duration::ZERO).left().as_secs_f64();
        let n_opening = game.plies.iter().take_while(|ply| ply.is_none()).count();
        let n_before = (n_opening + usize::from(side == game.first)) / 2;
        let mut n_moves = 0;
        let scale = game.machine.as_ref().map_or(1.0, |machine| machine.scale);
        // The margin was applied during the game; with a huge one no move oversteps here.
        let mut clock = Clock::new(limit.scaled(scale), Duration::MAX / 4);
        let movers = [game.first, game.first.other()].into_iter().cycle();
        for (ply, mover) in game.plies.iter().zip(movers) {
            let Some(ply) = ply else {
                continue;
            };
            // Clamp the time: a record may contain any number.
            let elapsed = Duration::from_secs_f64(ply.time.clamp(0.0, 1e9));
            if mover != side {
                clock.gain(elapsed);
                continue;
            }
            let (seconds, before) = (elapsed.as_secs_f64(), clock.left());
            let _ = clock.spend(elapsed);
            self.moves += 1;
            self.overrun = self.overrun.max(seconds - before.as_secs_f64());
            self.seconds += seconds;
            self.longest = self.longest.max(seconds);
            let index = (n_before + n_moves).min(MAX_MOVES - 1);
            if self.by_move.len() <= index {
                self.by_move.resize(index + 1, MoveTime::default());
            }
            let entry = &mut self.by_move[index];
            entry.moves += 1;
            entry.seconds += seconds;
            if whole > 0.0 {
                entry.share_left += clock.left().as_secs_f64() / whole;
            }
            n_moves += 1;
        }
        let lost_on_time = game.termination == Termination::TimeForfeit
            && game.result == GameResult::win(side.other());
        self.forfeits += u64::from(lost_on_time);
        self.games += u64::from(n_moves > 0);
    }

    /// The times by move number, in at most `max` ranges of equal width. Omits moves that fewer than one game in twenty
    /// reached, because their means are mostly noise.
    pub fn by_move(&self, max: usize) -> Vec<MoveTime> {
        let is_usual = |time: &MoveTime| time.moves > 0 && 20 * time.moves >= self.games;
        let last = self.by_move.iter().rposition(is_usual);
        let n_usual = last.map_or(0, |last| last + 1);
        let width = n_usual.div_ceil(max.max(1)).max(1);
        let groups = self.by_move[..n_usual].chunks(width).enumerate();
        let group = |(index, times): (usize, &[MoveTime])| MoveTime {
            first: index * width + 1,
            moves: times.iter().map(|time| time.moves).sum(),
            seconds: times.iter().map(|time| time.seconds).sum(),
            share_left: times.iter().map(|time| time.share_left).sum(),
        };
        groups.map(group).filter(is_usual).collect()
    }
}

impl MoveTime {
    /// The mean time of a move in seconds.
    pub fn mean_seconds(&self) -> f64 {
        self.seconds / self.moves as f64
    }

    /// The mean time left on the clock after the move, as a fraction of the initial time. Exceeds 1 where increments
    /// accumulate.
    pub fn mean_left(&self) -> f64 {
        self.share_left / self.moves as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, Machine, PlyRecord};
    use crate::stats::summary::tests::record;

    fn game(n_opening: usize, times: &[f64]) -> GameRecord {
        let timed = |&time: &f64| {
            Some(PlyRecord {
                time,
                ..PlyRecord::default()
            })
        };
        let mut game = record(1, GameResult::Draw);
        game.plies = vec![None; n_opening];
        game.plies.extend(times.iter().map(timed));
        game
    }

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
    }

    /// The times of A and B after these games, in which A is player 1.
    fn times(limit: Option<&str>, games: &[GameRecord]) -> [ThinkingTime; 2] {
        let limit = limit.map(|limit| limit.parse().expect("a limit"));
        let mut times = ["A", "B"].map(|name| ThinkingTime {
            limit,
            ..ThinkingTime::new(name)
        });
        for game in games {
            times[0].count(game, Side::P1);
            times[1].count(game, Side::P2);
        }
        times
    }

    #[test]
    fn means_are_by_the_number_of_the_move() {
        // The one opening move is A's, so B moves first, then A plays its second move.
        let games = [game(1, &[0.5, 3.0, 0.5, 2.0]), game(1, &[1.5, 1.0])];
        let [a, b] = times(Some("tc=10+1"), &games);
        assert_eq!((a.moves, a.games), (3, 2));
        close(a.seconds, 6.0);
        close(a.longest, 3.0);
        let by_move = a.by_move(100);
        assert_eq!(
            by_move.iter().map(|time| time.first).collect::<Vec<_>>(),
            [2, 3]
        );
        close(by_move[0].mean_seconds(), 2.0);
        // 10 - 3 + 1 and 10 - 1 + 1 of 10.
        close(by_move[0].mean_left(), 0.9);
        close(b.by_move(100)[0].mean_seconds(), 1.0);
        assert!(a.has_clock() && !times(None, &games)[1].has_clock());
    }

    /// B made the opening's only move.
    #[test]
    fn moves_are_numbered_from_the_side_that_moved_first() {
        let mut game = game(1, &[3.0, 0.5]);
        game.first = Side::P2;
        let times = times(None, &[game]);
        let firsts = times.each_ref().map(|player| player.by_move(9)[0].first);
        assert_eq!(firsts, [1, 2]);
        close(times[0].seconds, 3.0);
    }

    #[test]
    fn long_games_are_grouped_and_rare_moves_left_out() {
        let mut games = vec![game(0, &[0.1; 300]); 40];
        games.push(game(0, &[0.1; 900]));
        let groups = times(None, &games)[0].by_move(50);
        assert_eq!(groups.len(), 50);
        assert_eq!(groups[1].first, 4, "150 moves in 50 groups of 3");
        assert_eq!(groups.iter().map(|time| time.moves).sum::<u64>(), 41 * 150);
    }

    #[test]
    fn absurd_times_stay_numbers() {
        let [a, _] = times(Some("tc=1"), &[game(0, &[1e308, -5.0, 1e308])]);
        assert!(a.seconds.is_finite() && a.by_move(9)[0].mean_left() >= 0.0);
    }

    #[test]
    fn the_largest_overrun_is_over_what_the_clock_had_left() {
        for (limit, first, scale, seconds, used) in [
            // A: 1.0 left, uses 0.7; 0.4 left, uses 0.41. B: uses 0.2, then 0.1 of 0.9.
            (
                "tc=1+0.1",
                Side::P1,
                1.0,
                &[0.7, 0.2, 0.41, 0.1][..],
                &[(2, 0.01), (2, -0.8)][..],
            ),
            (
                "tc=1+0.1",
                Side::P2,
                1.0,
                &[0.7, 0.2, 0.41],
                &[(1, -0.8), (2, 0.01)],
            ),
            // A: 1.0 left, uses 0.9; gains 0.5; 0.6 left, uses 0.7.
            (
                "hourglass=1",
                Side::P1,
                1.0,
                &[0.9, 0.5, 0.7],
                &[(2, 0.1), (1, -1.4)],
            ),
            // A slower machine has more time.
            ("st=0.1", Side::P1, 2.0, &[0.15], &[(1, -0.05)]),
        ] {
            let machine = Machine {
                name: "slow".to_owned(),
                worker: String::new(),
                scale,
            };
            let game = GameRecord {
                first,
                machine: Some(machine),
                ..game(0, seconds)
            };
            let found = times(Some(limit), &[game]);
            let found: Vec<_> = found.iter().filter(|time| time.is_timed()).collect();
            assert_eq!(found.len(), used.len(), "{found:?}");
            for (found, (moves, overrun)) in found.into_iter().zip(used) {
                assert_eq!(found.moves, *moves, "{found:?}");
                close(found.overrun, *overrun);
            }
        }
    }

    #[test]
    fn forfeits_are_the_losers() {
        let game = GameRecord {
            result: GameResult::P1Win,
            termination: Termination::TimeForfeit,
            ..game(0, &[0.1])
        };
        let used = times(Some("st=0.1"), &[game]);
        assert_eq!(used.map(|time| time.forfeits), [0, 1]);
    }

    #[test]
    fn nodes_are_no_clock() {
        let [a, _] = times(Some("nodes=5"), &[game(0, &[0.1])]);
        assert!(!a.is_timed());
    }
}
