//! Parts of a plan: the format of a match, shards of it, and lists of CPUs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ensure;
use crate::serde_as_text;

/// One part of a match, `k/n`: every `n`th pair of games, starting with the `k`th.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Number of this part, from 1.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

impl Shard {
    /// `true` if the pair of games with this number (from 1) belongs to this part.
    pub fn has_pair(&self, pair: usize) -> bool {
        (pair - 1) % self.of == self.number - 1
    }

    /// Counts the pairs of this part among the first `pairs` pairs.
    pub fn n_pairs(&self, pairs: usize) -> usize {
        (pairs + self.of - self.number) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let (number, of) = parts.unwrap_or_default();
        ensure!(
            (1..=of).contains(&number) && of <= MAX_SHARDS,
            "write K/N, as in 1/4, with K from 1 to N and N up to {MAX_SHARDS}"
        );
        Ok(Shard { number, of })
    }
}

serde_as_text!(Shard);

/// Largest number of parts of a match.
const MAX_SHARDS: usize = 1_000_000;

/// Largest number of rounds of a Swiss match.
pub(crate) const MAX_ROUNDS: usize = 1000;

/// The pairing system of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each engine meets every other.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Each round pairs engines with about equal scores.
    Swiss {
        /// Number of rounds.
        rounds: usize,
    },
    /// The loser of a meeting is eliminated: in ledgers of version 0.2, which are read and not played.
    Knockout,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::Swiss { rounds } => write!(f, "swiss:rounds={rounds}"),
            named => named.serialize(f),
        }
    }
}

impl Format {
    /// The help of `--format`.
    pub const HELP: &str = "Pairings. `round-robin`: every engine plays every other. `gauntlet`: the first engine plays all \
                            others. `swiss` or `swiss:rounds=N`: in each round engines with similar scores meet";

    /// Parses the text of `--format` for a match of this number of engines.
    ///
    /// # Errors
    /// The text begins with the wrong value.
    pub fn parse(text: &str, n_engines: usize) -> Result<Format, String> {
        let rounds = match text {
            "round-robin" => return Ok(Format::RoundRobin),
            "gauntlet" => return Ok(Format::Gauntlet),
            // As many halvings of the field as leave one player.
            "swiss" => n_engines.next_power_of_two().ilog2() as usize,
            _ => {
                let rounds = text.strip_prefix("swiss:rounds=");
                rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(0)
            }
        };
        ensure!(
            (1..=MAX_ROUNDS).contains(&rounds),
            "{text}: choose round-robin, gauntlet, swiss or swiss:rounds=N, N from 1 to {MAX_ROUNDS}"
        );
        Ok(Format::Swiss { rounds })
    }

    /// The format as part of a sentence.
    pub fn in_words(self) -> String {
        match self {
            Format::RoundRobin => "each engine plays all others".to_owned(),
            Format::Gauntlet => "the first engine plays all others".to_owned(),
            Format::Swiss { rounds } => format!("a Swiss tournament of {rounds} rounds"),
            Format::Knockout => "a knockout".to_owned(),
        }
    }

    /// Number of rounds, if the pairings of each depend on the results of earlier rounds.
    pub fn rounds(self) -> Option<usize> {
        match self {
            Format::Swiss { rounds } => Some(rounds),
            Format::RoundRobin | Format::Gauntlet | Format::Knockout => None,
        }
    }
}

/// Largest CPU number accepted.
const MAX_CPU: usize = 1023;

/// A list of CPU numbers, written as `0,2,4-7`. The empty list means all CPUs that this process may use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CpuList(pub Vec<usize>);

impl CpuList {
    /// The index of a CPU in the list; 0 if the list does not contain it.
    pub fn rank(&self, cpu: usize) -> usize {
        self.0.iter().position(|known| *known == cpu).unwrap_or(0)
    }
}

impl FromStr for CpuList {
    type Err = String;

    fn from_str(text: &str) -> Result<CpuList, String> {
        let mut cpus = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = first.parse().ok().zip(last.parse().ok());
            let range = range.filter(|(first, last)| first <= last && *last <= MAX_CPU);
            let numbers = || format!("write numbers of CPUs up to {MAX_CPU}, as in 0,2,4-7");
            let (first, last) = range.ok_or_else(numbers)?;
            for cpu in first..=last {
                ensure!(!cpus.contains(&cpu), "CPU {cpu} twice: name each once");
                cpus.push(cpu);
            }
        }
        Ok(CpuList(cpus))
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

serde_as_text!(CpuList);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_as_numbers_and_ranges() {
        for (text, cpus) in [("", &[][..]), ("3", &[3]), ("0,2,4-6", &[0, 2, 4, 5, 6])] {
            let list: CpuList = text.parse().expect(text);
            assert_eq!(list.0, cpus);
            assert_eq!(list.to_string().parse(), Ok(list));
        }
        for text in ["x", "1,", "-1", "4-2", "1,0-2", "1024", "0 1"] {
            assert!(text.parse::<CpuList>().is_err(), "{text}");
        }
    }
}
