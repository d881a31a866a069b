//! Samples with their counts in the order of fastchess's tests.

use super::sample::Sample;
use super::sample::Wdl;

/// A sample of single games.
pub(super) fn games(wins: u64, losses: u64, draws: u64) -> Sample {
    Sample::of_games(Wdl {
        wins,
        draws,
        losses,
    })
}

/// A sample of pairs: two losses, loss and draw, win and loss, two draws, win and draw, two wins.
pub(super) fn pairs(ll: u64, ld: u64, wl: u64, dd: u64, wd: u64, ww: u64) -> Sample {
    Sample::of_pairs([ll, ld, wl + dd, wd, ww])
}
