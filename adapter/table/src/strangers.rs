//! Limits for connections without a valid password or token: their number, and the rate of wrong passwords.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

use referee::token_bucket::TokenBucket;

/// Wrong guesses at once from one network, and their rate per second afterwards.
const GUESSES: f64 = 6.0;
const GUESSES_PER_SECOND: f64 = 1.0 / 30.0;

/// Maximum number of networks whose guesses are counted.
const MAX_NETWORKS: usize = 4096;

/// The connections of strangers, the oldest first. A newcomer always has room: if there are too many, the oldest one of
/// the network with the most connections is closed for it.
#[derive(Debug)]
pub struct Strangers<T> {
    max: usize,
    open: Vec<(IpAddr, T)>,
}

impl<T> Strangers<T> {
    /// At most this many connections.
    pub fn new(max: usize) -> Strangers<T> {
        Strangers {
            max,
            open: Vec::new(),
        }
    }

    /// Adds a connection, and forgets those that are no longer open. Returns the one to be closed.
    pub fn add(&mut self, ip: IpAddr, stranger: T, is_open: impl Fn(&T) -> bool) -> Option<T> {
        self.open.retain(|(_, stranger)| is_open(stranger));
        self.open.push((network(ip), stranger));
        if self.open.len() <= self.max {
            return None;
        }
        let mut counts = BTreeMap::new();
        for (network, _) in &self.open {
            *counts.entry(*network).or_insert(0) += 1;
        }
        let most = counts.values().max().copied();
        let crowded = |(network, _): &(IpAddr, T)| counts.get(network).copied() == most;
        let oldest = self.open.iter().position(crowded)?;
        Some(self.open.remove(oldest).1)
    }
}

/// Counts wrong passwords by network. A network that has guessed too often has to wait.
#[derive(Debug, Default)]
pub struct Guesses(BTreeMap<IpAddr, TokenBucket>);

impl Guesses {
    /// The time until this network may guess again, zero if it may now.
    pub fn wait(&mut self, ip: IpAddr, now: Instant) -> Duration {
        let bucket = self.0.get_mut(&network(ip));
        bucket.map_or(Duration::ZERO, |bucket| bucket.wait(1.0, now))
    }

    /// Counts a wrong guess.
    pub fn count(&mut self, ip: IpAddr, now: Instant) {
        if self.0.len() >= MAX_NETWORKS {
            self.0.retain(|_, bucket| !bucket.is_full(now));
        }
        if self.0.len() >= MAX_NETWORKS {
            self.0.pop_first();
        }
        let full = || TokenBucket::full(GUESSES, GUESSES_PER_SECOND, now);
        let bucket = self.0.entry(network(ip)).or_insert_with(full);
        bucket.take(1.0, now);
    }
}

/// The addresses that one customer of a provider has: one of IPv4, 2^64 of IPv6.
fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).into(),
        ip => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn the_oldest_of_the_most_crowded_network_is_closed_for_a_newcomer() {
        let mut strangers = Strangers::new(4);
        let mut add = |at: &str, number| strangers.add(ip(at), number, |number| *number != 3);
        assert_eq!(add("10.0.0.1", 0), None);
        for number in 1..4 {
            assert_eq!(add("2001:db8::1", number), None);
        }
        // The third one is closed, so there is room.
        assert_eq!(add("10.0.0.2", 4), None);
        assert_eq!(add("2001:db8::2", 5), Some(1));
        assert_eq!(add("10.0.0.2", 6), Some(2));
        assert_eq!(add("::ffff:10.0.0.3", 7), Some(4));
        // One each: the oldest of all.
        assert_eq!(add("10.0.0.4", 8), Some(0));
    }

    #[test]
    fn a_network_that_guesses_has_to_wait_and_others_do_not() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        for _ in 0..6 {
            assert_eq!(guesses.wait(ip("fd00::1"), start), Duration::ZERO);
            guesses.count(ip("fd00::2"), start);
        }
        assert_eq!(guesses.wait(ip("fd00::1"), start), Duration::from_secs(30));
        assert_eq!(guesses.wait(ip("fd00:0:0:1::1"), start), Duration::ZERO);
        let later = start + Duration::from_secs(31);
        assert_eq!(guesses.wait(ip("fd00::1"), later), Duration::ZERO);
        guesses.count(ip("fd00::1"), later);
        assert!(guesses.wait(ip("fd00::1"), later) > Duration::from_secs(28));
    }

    #[test]
    fn the_memory_of_guesses_is_bounded() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        for number in 0..MAX_NETWORKS as u32 + 100 {
            guesses.count(std::net::Ipv4Addr::from_bits(number).into(), start);
        }
        assert_eq!(guesses.0.len(), MAX_NETWORKS);
        let later = start + Duration::from_secs(31);
        guesses.count(ip("10.0.0.1"), later);
        assert_eq!(guesses.0.len(), 1);
    }
}
