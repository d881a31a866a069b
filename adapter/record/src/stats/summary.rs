//! The statistics of a match, counted game by game: its standing while it runs, and the report at its end.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use kit::Side;
use serde::Serialize;

use super::elo::{Elo, Interval};
use super::faults::Faults;
use super::lengths::Lengths;
use super::prefix::SprtCounter;
use super::rating::{GameCounts, Ratings};
use super::report::{Duel, FirstMover, Repeats, Report, Standing};
use super::sample::{Results, Sample, Tally, Wdl};
use super::sprt::{Sprt, SprtStatus};
use super::thinking::ThinkingTime;
use crate::game::{GameRecord, GameResult, PlayedGame, Termination};
use crate::plan::Plan;

/// Largest number of points of the progress.
const MAX_POINTS: usize = 400;

/// Largest number of players for which ratings are computed along the way; more curves are unreadable.
const MAX_CURVES: usize = 8;

/// Counts games as they finish, for the standing of a match and for reports. Keeps one line for each game, without its
/// moves.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    tally: Tally,
    /// The players who have played, as indices of the tally, in the order of their first game.
    players: Vec<usize>,
    /// Results of the side that moved first.
    first: Wdl,
    /// By the indices of both players in the tally, the smaller one first, from the first one's point of view.
    duels: BTreeMap<[usize; 2], Results>,
    /// For the ratings.
    counts: GameCounts,
    sprt: Option<SprtCounter>,
    /// `true` if the current file plays each opening twice.
    swaps: bool,
    /// Number of occurrences of each game, by a hash of its opening position and moves.
    kinds: HashMap<u64, u64>,
    progress: Vec<ProgressPoint>,
    /// Thinking times of the players, in the order of their names.
    pub times: Vec<ThinkingTime>,
    /// Lengths of the games.
    pub lengths: Lengths,
    /// Faults of the engines.
    pub faults: Faults,
    /// The games in the order in which they finished.
    pub games: Vec<GameLine>,
    /// Number of files.
    pub n_sources: usize,
}

/// A finished game in brief.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLine {
    /// Index of the file that contains the game.
    pub source: usize,
    /// Its number in the schedule, from 1.
    pub game: usize,
    /// The indices of its players in the summary's names.
    pub players: [usize; 2],
    /// Its result.
    pub result: GameResult,
    /// The kind of ending.
    pub termination: Termination,
    /// The reason for the result, in words.
    pub reason: String,
    /// Number of plies, those of the opening included.
    pub plies: usize,
}

/// Elo and LLR after a number of finished games.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgressPoint {
    /// Number of finished games.
    pub games: usize,
    /// With two players: one entry, the Elo difference of the first. With more: the rating of each, in the order of
    /// [`Summary::names`]; empty if there are too many players for curves. `None` while the
    /// games give no bounded estimate.
    pub elo: Vec<Option<Interval>>,
    /// The log-likelihood ratio of the SPRT, if there is one.
    pub llr: Option<f64>,
}

/// Consecutive games of a player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    /// Index of the first game among the player's games with a result, from 1.
    pub first: usize,
    /// Index of the last game.
    pub last: usize,
    /// The player's share of points, 0 to 1.
    pub score: f64,
}

impl Window {
    /// The windows of `length` games each, from the points of a player's games.
    pub fn of(points: &[f64], every: usize) -> Vec<Window> {
        let every = every.max(1);
        let window = |(points, first): (&[f64], usize)| Window {
            first,
            last: first + points.len() - 1,
            score: points.iter().sum::<f64>() / points.len() as f64,
        };
        let firsts = (1..).step_by(every);
        points.chunks(every).zip(firsts).map(window).collect()
    }
}

impl Summary {
    /// Creates a summary without games. Players not named here are added in the order of their first game.
    pub fn new(names: &[impl AsRef<str>], sprt: Option<Sprt>) -> Summary {
        let mut tally = Tally::default();
        for name in names {
            tally.place(name.as_ref());
        }
        Summary {
            tally,
            sprt: sprt.map(SprtCounter::new),
            swaps: true,
            ..Summary::default()
        }
    }

    /// Begins the summary of a match.
    pub fn of(plan: &Plan) -> Summary {
        let mut summary = Summary::new(&plan.names(), plan.sprt);
        summary.begin_source(Some(plan));
        summary
    }

    /// Begins a file: the games counted next belong to this match and to other pairs. `None` for a file without a plan.
    pub fn begin_source(&mut self, plan: Option<&Plan>) {
        self.n_sources += 1;
        for duel in self.duels.values_mut() {
            duel.pairs.open.clear();
        }
        if let Some(sprt) = &mut self.sprt {
            sprt.begin_source(plan);
        }
        self.swaps = plan.is_none_or(|plan| plan.swaps);
        for (name, limit) in plan.iter().flat_map(|plan| plan.limits()) {
            let player = self.tally.place(&name);
            self.add_times();
            self.times[player].limit = Some(limit);
        }
    }

    /// Counts a finished game.
    pub fn count(&mut self, record: &GameRecord) {
        let source = self.n_sources.saturating_sub(1);
        let players = self.tally.count(record);
        for player in players {
            if !self.players.contains(&player) {
                self.players.push(player);
            }
        }
        self.first += Wdl::of(record.result, record.first);
        let [p1, p2] = players;
        let side = if p1 <= p2 { Side::P1 } else { Side::P2 };
        let wdl = Wdl::of(record.result, side);
        let duel = self.duels.entry([p1.min(p2), p1.max(p2)]).or_default();
        duel.wdl += wdl;
        let had_pairs = duel.pairs.total() > 0;
        duel.pairs.count_game(record.pair, wdl);
        // From the first complete pair on, Elo is computed from pairs; values from single games are discarded.
        if !had_pairs && duel.pairs.total() > 0 && self.duels.len() == 1 {
            for point in &mut self.progress {
                point.elo.fill(None);
                point.llr = point.llr.map(|_| 0.0);
            }
        }
        if let Some(sprt) = &mut self.sprt {
            sprt.count(record.pair, wdl);
        }
        if record.result != GameResult::Unknown {
            let hasher = BuildHasherDefault::<DefaultHasher>::new();
            let kind = hasher.hash_one((&record.opening.fen, &record.moves));
            *self.kinds.entry(kind).or_default() += 1;
            let movers = [record.first, record.first.other()].map(|side| players[side.index()]);
            let halves = Wdl::of(record.result, record.first).halves();
            *self.counts.entry((movers, halves)).or_default() += 1;
        }
        self.add_times();
        for (side, player) in Side::BOTH.into_iter().zip(players) {
            self.times[player].count(record, side);
        }
        self.lengths.count(record);
        self.faults.count(source, record);
        self.games.push(GameLine {
            source,
            game: record.game,
            players,
            result: record.result,
            termination: record.termination,
            reason: record.reason.clone(),
            plies: record.moves.len(),
        });
        // Every point at first; later fewer, at equal distances.
        let stride = (self.games.len() / MAX_POINTS + 1).next_power_of_two();
        let is_kept = |games: usize| games.is_multiple_of(stride);
        if is_kept(self.games.len()) {
            self.progress.push(self.progress_point());
            self.progress.retain(|point| is_kept(point.games));
        }
    }

    /// Adds the times of new players.
    fn add_times(&mut self) {
        for row in &self.tally.rows[self.times.len()..] {
            self.times.push(ThinkingTime::new(&row.name));
        }
    }

    /// The names of the players.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tally.rows.iter().map(|row| row.name.as_str())
    }

    /// The observations of the only pairing; `None` if there are several, or no games.
    fn only_duel(&self) -> Option<Sample> {
        let first = self.duels.values().next();
        let only = first.filter(|_| self.duels.len() == 1);
        only.map(Results::sample)
    }

    /// The status of the SPRT: the verdict of the match itself. `None` without a test, or if it is not the only pairing.
    pub fn sprt(&self) -> Option<SprtStatus> {
        let sprt = self.sprt.as_ref().map(SprtCounter::status);
        self.only_duel().and(sprt)
    }

    /// The standing of a match of `total` games.
    pub fn standing(&self, total: usize) -> Standing {
        let duel = self.duels.values().next();
        let duel = duel.filter(|_| self.tally.rows.len() == 2);
        // Only complete pairs count if sides are swapped.
        let sample = |duel: &Results| match self.swaps {
            true => Sample::of_pairs(duel.pairs.counts),
            false => Sample::of_games(duel.wdl),
        };
        Standing {
            games: self.games.len(),
            total,
            tally: self.tally.clone(),
            elo: duel.and_then(|duel| Elo::of(&sample(duel))),
            first_mover: (self.first.games() > 0).then(|| self.first_mover().score),
            sprt: self.sprt.as_ref().map(SprtCounter::status),
            faults: self.faults.total,
            disagreements: self.faults.disagreements,
        }
    }

    fn first_mover(&self) -> FirstMover {
        FirstMover {
            wdl: self.first,
            score: Interval::of_mean(&Sample::of_games(self.first)),
        }
    }

    /// Computes the ratings of the players who have played.
    fn ratings(&self) -> Ratings {
        let rows = &self.tally.rows;
        let names = self.players.iter().map(|at| rows[*at].name.as_str());
        let mut index = vec![0; rows.len()];
        for (new, player) in self.players.iter().enumerate() {
            index[*player] = new;
        }
        let counts = self.counts.iter();
        let counts =
            counts.map(|((movers, halves), n)| ((movers.map(|at| index[at]), *halves), *n));
        Ratings::of(&names.collect::<Vec<_>>(), &counts.collect())
    }

    /// Computes the results, the ratings and the scores of each pairing. Players without games are omitted.
    pub fn report(&self) -> Report {
        let rows = &self.tally.rows;
        let players: BTreeSet<usize> = self.players.iter().copied().collect();
        let duel = |(players, results): (&[usize; 2], &Results)| Duel {
            player: rows[players[0]].name.clone(),
            opponent: rows[players[1]].name.clone(),
            wdl: results.wdl,
            pairs: results.pairs.clone(),
            elo: Elo::of(&results.sample()),
        };
        let (games, squares) = self.kinds.values().fold((0, 0), |(n, squares), count| {
            (n + count, squares + count * count)
        });
        Report {
            tally: Tally {
                rows: players.into_iter().map(|at| rows[at].clone()).collect(),
                unknown: self.tally.unknown,
            },
            duels: self.duels.iter().map(duel).collect(),
            first_mover: self.first_mover(),
            ratings: self.ratings(),
            repeats: Repeats {
                games,
                distinct: self.kinds.len() as u64,
                effective: (games * games) as f64 / squares.max(1) as f64,
            },
        }
    }

    /// Elo and LLR over the match; the last point follows the last game.
    pub fn progress(&self) -> Vec<ProgressPoint> {
        let mut points = self.progress.clone();
        if points.last().map_or(0, |last| last.games) < self.games.len() {
            points.push(self.progress_point());
        }
        points
    }

    /// Elo and LLR now.
    fn progress_point(&self) -> ProgressPoint {
        let elo = match self.only_duel() {
            Some(sample) if self.names().len() <= 2 => vec![Elo::of(&sample).map(|elo| elo.elo)],
            _ if self.names().len() > MAX_CURVES => Vec::new(),
            _ => {
                let rated = self.ratings().players;
                let of = |name| Some(rated.iter().find(|player| player.name == name)?.elo);
                self.names().map(of).collect()
            }
        };
        let bounded = |elo: Option<Interval>| elo.filter(Interval::is_bounded);
        ProgressPoint {
            games: self.games.len(),
            elo: elo.into_iter().map(bounded).collect(),
            llr: self.sprt().map(|sprt| sprt.llr),
        }
    }

    /// The results of a file's games, by its index, in the order in which they finished.
    pub fn results(&self, source: usize) -> impl Iterator<Item = PlayedGame<'_>> {
        let names: Vec<&str> = self.names().collect();
        let own = self.games.iter().filter(move |game| game.source == source);
        own.map(move |line| (line.game, line.players.map(|at| names[at]), line.result))
    }

    /// The score of the first player in windows of equally many games with a result, which shows the progress of an
    /// engine that learns. The last window may be shorter.
    pub fn windows(&self, every: usize) -> Vec<Window> {
        let points = self.games.iter().filter_map(|game| {
            let index = game.players.iter().position(|player| *player == 0)?;
            let wdl = Wdl::of(game.result, Side::BOTH[index]);
            (wdl.games() > 0).then(|| wdl.score())
        });
        Window::of(&points.collect::<Vec<f64>>(), every)
    }
}

#[cfg(test)]
pub(super) mod tests;
