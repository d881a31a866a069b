//! Lengths of games.

use std::collections::BTreeMap;

use crate::game::{GameRecord, GameResult};

/// Histogram of game lengths by result.
#[derive(Debug, Clone, Default)]
pub struct Lengths {
    /// Games by number of plies: won by the side that moved first, drawn, won by the other side, and without a result.
    counts: BTreeMap<usize, [u64; 4]>,
}

/// A bin of the histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthBin {
    /// The smallest length in plies.
    pub first: usize,
    /// Number of lengths in the bin.
    pub width: usize,
    /// Games won by the side that moved first, drawn, won by the other side, and without a result.
    pub games: [u64; 4],
}

impl Lengths {
    pub(super) fn count(&mut self, game: &GameRecord) {
        let kind = match game.result {
            result if result == GameResult::win(game.first) => 0,
            GameResult::Draw => 1,
            GameResult::Unknown => 3,
            _ => 2,
        };
        self.counts.entry(game.moves.len()).or_default()[kind] += 1;
    }

    /// The minimum, the median and the maximum; `None` without games.
    pub fn spread(&self) -> Option<(usize, usize, usize)> {
        let (shortest, longest) = (self.counts.keys().next()?, self.counts.keys().next_back()?);
        let total: u64 = self.counts.values().flatten().sum();
        let mut seen = 0;
        let mut lengths = self.counts.iter();
        let (median, _) = lengths.find(|(_, counts)| {
            seen += counts.iter().sum::<u64>();
            2 * seen >= total
        })?;
        Some((*shortest, *median, *longest))
    }

    /// Divides all games into at most `max` bins of equal width, without gaps. The width is 1 or a round even number,
    /// so that no bin favours the side that makes the last move.
    pub fn bins(&self, max: usize) -> Vec<LengthBin> {
        let Some((shortest, _, longest)) = self.spread() else {
            return Vec::new();
        };
        let fits = |width: &usize| longest / width - shortest / width < max.max(1);
        let round =
            |power| [2, 4, 10].map(|n: usize| n.saturating_mul(10usize.saturating_pow(power)));
        let mut widths = std::iter::once(1).chain((0..).flat_map(round));
        let width = widths.find(fits).unwrap_or(usize::MAX);
        let bin = |index: usize| {
            let lengths = index * width..(index + 1).saturating_mul(width);
            let within = self.counts.range(lengths).map(|(_, counts)| counts);
            LengthBin {
                first: index * width,
                width,
                games: within.fold([0; 4], |sum, n| std::array::from_fn(|at| sum[at] + n[at])),
            }
        };
        (shortest / width..=longest / width).map(bin).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::stats::summary::tests::record;

    fn lengths(of: &[(usize, GameResult)]) -> Lengths {
        let mut lengths = Lengths::default();
        for (plies, result) in of {
            let mut record = record(1, *result);
            record.moves = vec![String::new(); *plies];
            lengths.count(&record);
        }
        lengths
    }

    #[test]
    fn bins_hold_every_game_once() {
        let all: Vec<_> = (7..260).map(|plies| (plies, GameResult::Draw)).collect();
        let lengths = lengths(&all);
        assert_eq!(lengths.spread(), Some((7, 133, 259)));
        for max in [1, 2, 5, 24, 100, 1000] {
            let bins = lengths.bins(max);
            assert!(!bins.is_empty() && bins.len() <= max, "{max}: {bins:?}");
            assert_eq!(bins.iter().map(|bin| bin.games[1]).sum::<u64>(), 253);
            assert!(
                bins.windows(2)
                    .all(|two| two[0].first + two[0].width == two[1].first)
            );
        }
        assert_eq!(lengths.bins(24)[0].width, 20);
    }

    #[test]
    fn results_are_told_apart() {
        let lengths = lengths(&[
            (9, GameResult::P1Win),
            (9, GameResult::Draw),
            (10, GameResult::P2Win),
            (11, GameResult::Unknown),
        ]);
        let bins = lengths.bins(24);
        let games: Vec<_> = bins.iter().map(|bin| bin.games).collect();
        assert_eq!(games, [[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);
    }

    #[test]
    fn no_games_have_no_bins() {
        assert_eq!(Lengths::default().bins(24), []);
        assert_eq!(lengths(&[(0, GameResult::P1Win)]).bins(24).len(), 1);
    }
}
