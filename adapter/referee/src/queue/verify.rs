//! Verification of results: a sample of pairs is played by a second worker, and the games must be the same.

use std::collections::BTreeMap;

use fastrand::Rng;
use record::clock::Limit;
use record::plan::Plan;

use super::{PlayedPair, is_same_worker};

/// The share of pairs that a second worker plays, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sampling(f64);

impl Sampling {
    /// The sampling of a match.
    ///
    /// # Errors
    /// The games of the match are not the same each time, because a limit is a time or an engine ponders.
    pub fn of(plan: &Plan, share: f64) -> Result<Sampling, String> {
        let varies = |limit: Limit, ponders: bool| !matches!(limit, Limit::Search(_)) || ponders;
        let mut engines = plan.engines.iter();
        match engines.find(|spec| varies(spec.limit, spec.ponder)) {
            None => Ok(Sampling(share)),
            Some(spec) => Err(format!(
                "engine {} with {} does not play the same game twice: expected only limits by nodes= or depth=, \
                 without ponder",
                spec.name.as_deref().unwrap_or_default(),
                spec.limit
            )),
        }
    }
}

/// Decision about a result.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// The result is recorded, and these workers have sent other games.
    Record(Vec<String>),
    /// Another worker than these plays the pair.
    Again(Vec<String>),
    /// The same worker has played the pair again.
    Repeated,
    /// Three workers have sent three different results.
    Unstable,
}

/// Results that wait for a second worker.
#[derive(Debug)]
pub(super) struct Verifier {
    share: f64,
    /// Selects the pairs. Workers do not know it.
    secret: u64,
    /// Results by different workers, by pair.
    held: BTreeMap<usize, Vec<PlayedPair>>,
}

impl Verifier {
    pub(super) fn new(Sampling(share): Sampling) -> Verifier {
        Verifier {
            share,
            secret: fastrand::u64(..),
            held: BTreeMap::new(),
        }
    }

    fn is_sampled(&self, pair: usize) -> bool {
        let mut rng = Rng::with_seed(self.secret ^ pair as u64);
        self.share > 0.0 && rng.f64() < self.share
    }

    /// Number of pairs that wait for another worker.
    pub(super) fn n_held(&self) -> usize {
        self.held.len()
    }

    /// Decides about a valid result. With fewer than two workers, none can be verified.
    pub(super) fn receive(&mut self, played: &PlayedPair, n_workers: usize) -> Verdict {
        let pair = played.pair;
        let is_held = self.held.contains_key(&pair);
        if !is_held && (n_workers < 2 || !self.is_sampled(pair)) {
            return Verdict::Record(Vec::new());
        }
        let held = self.held.entry(pair).or_default();
        if held
            .iter()
            .any(|one| is_same_worker(one.worker(), played.worker()))
        {
            return Verdict::Repeated;
        }
        let same = held.iter().position(|one| is_same(one, played));
        if same.is_none() && held.len() < 2 {
            held.push(played.clone());
            return Verdict::Again(self.players(pair));
        }
        let mut others = self.players(pair);
        self.held.remove(&pair);
        match same {
            None => Verdict::Unstable,
            Some(at) => {
                others.swap_remove(at);
                Verdict::Record(others)
            }
        }
    }

    /// The workers that wait for another one to play this pair.
    pub(super) fn players(&self, pair: usize) -> Vec<String> {
        let held = self.held.get(&pair).into_iter().flatten();
        held.map(|one| one.worker().to_owned()).collect()
    }

    /// Drops the results of these workers.
    pub(super) fn drop_worker(&mut self, is_dropped: impl Fn(&PlayedPair) -> bool) {
        self.held.retain(|_, held| {
            held.retain(|one| !is_dropped(one));
            !held.is_empty()
        });
    }

    /// Removes the results that wait for a worker that is not there: single ones with fewer than two workers, and two
    /// different ones with fewer than three if `is_rest`, when nothing else is left to play.
    pub(super) fn give_up(&mut self, n_workers: usize, is_rest: bool) -> Vec<Vec<PlayedPair>> {
        let is_stuck =
            |held: &Vec<PlayedPair>| n_workers <= held.len() && (held.len() == 1 || is_rest);
        let (stuck, held): (BTreeMap<_, _>, _) = std::mem::take(&mut self.held)
            .into_iter()
            .partition(|(_, held)| is_stuck(held));
        self.held = held;
        stuck.into_values().collect()
    }

    /// Ends the verification.
    pub(super) fn switch_off(&mut self) {
        self.share = 0.0;
    }
}

/// `true` if both workers have played the same games.
fn is_same(one: &PlayedPair, other: &PlayedPair) -> bool {
    one.games.len() == other.games.len()
        && one.games.iter().all(|game| {
            let mut same = other.games.iter();
            same.any(|found| {
                let ends = [game, found].map(|game| (game.game, game.result, game.termination));
                ends[0] == ends[1] && game.moves == found.moves
            })
        })
}
