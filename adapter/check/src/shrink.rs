//! Shrinks what shows a fault: the searches of a process, or the moves of a line.

use std::time::{Duration, Instant};

use record::registry::Rules;

use crate::prelude::*;

/// Time limit for finding shorter input.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Maximum length of a list for which deleting pairs of items is tried.
const MAX_FOR_PAIRS: usize = 40;

/// Deletes items while `shows` returns `true`: first halves, then smaller and smaller pieces, down to single items and
/// pairs. `shows` must be `true` for the original list.
pub(super) fn shrink<T: Clone>(mut items: Vec<T>, mut shows: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let deadline = Instant::now() + TIME_LIMIT;
    let mut size = items.len().div_ceil(2);
    while size > 0 {
        let n = items.len();
        // Later pieces first; pairs if no single item can be deleted.
        let pieces = (0..=n - size).rev().map(|at| (at, at));
        let seconds = (1..n).rev().filter(|_| size == 1 && n <= MAX_FOR_PAIRS);
        let pairs = seconds.flat_map(|second| (0..second).rev().map(move |first| (first, second)));
        let mut shorter = pieces.chain(pairs).map(|(first, second)| {
            let is_kept = |at: usize| at != second && !(first..first + size).contains(&at);
            let kept = items.iter().enumerate().filter(|(at, _)| is_kept(*at));
            Vec::from_iter(kept.map(|(_, item)| item.clone()))
        });
        match shorter.find(|shorter| Instant::now() < deadline && shows(shorter)) {
            Some(shorter) => {
                items = shorter;
                size = size.min(items.len());
            }
            None => size /= 2,
        }
    }
    items
}

/// The opening with the position after some of its moves as a position string.
pub(super) fn from_ply(rules: &Rules, opening: &Opening, plies: usize) -> Opening {
    Opening {
        fen: Some(board(rules, &opening.prefix(plies)).fen()),
        moves: opening.moves[plies..].to_vec(),
    }
}

impl Dialogue<'_> {
    /// The finding of `judge` about a position in which it `found` a fault: with as few moves as show it, or with a position
    /// string and as few of the last moves as possible, if that is shorter.
    pub(super) fn shrunk(
        &mut self,
        rules: &Rules,
        opening: &Opening,
        found: &Finding,
        judge: impl Fn(&mut Self, &Opening) -> Checked<()>,
    ) -> Finding {
        // A line with a move that became illegal shows nothing.
        let mut shows = |opening: &Opening| {
            let is_same =
                |shown: Finding| (shown.kind, shown.verdict) == (found.kind, found.verdict);
            rules.open(opening).is_ok() && judge(self, opening).is_err_and(is_same)
        };
        let with = |moves: &[String]| Opening {
            fen: opening.fen.clone(),
            moves: moves.to_vec(),
        };
        let line = with(&shrink(opening.moves.clone(), |moves| shows(&with(moves))));
        let (n_moves, length) = (line.moves.len(), line.to_string().len());
        let kept = std::iter::successors(Some(0), |n| Some((2 * n).max(1)));
        let kept = kept.take_while(|n| *n < n_moves);
        let strings = kept.map(|n| from_ply(rules, &line, n_moves - n));
        let mut shorter = strings.filter(|string| string.to_string().len() < length);
        let shortest = shorter.find(&mut shows).unwrap_or_else(|| line.clone());
        let varies = || fail!("the answers vary between runs: position {opening}");
        judge(self, &shortest).err().unwrap_or_else(varies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(moves: &[u32], shows: impl Fn(&[u32]) -> bool) -> Vec<u32> {
        shrink(moves.to_vec(), shows)
    }

    #[test]
    fn needed_moves_stay() {
        let all: Vec<u32> = (0..50).collect();
        assert_eq!(
            shrunk(&all, |moves| moves.contains(&7) && moves.contains(&41)),
            [7, 41]
        );
        assert_eq!(shrunk(&all, |_| true), [0; 0]);
        assert_eq!(shrunk(&all, |moves| moves == all), all);
    }

    #[test]
    fn pairs_are_deleted_if_single_moves_cannot_be() {
        let all: Vec<u32> = (0..20).collect();
        let even = |moves: &[u32]| moves.len().is_multiple_of(2) && moves.contains(&3);
        assert_eq!(shrunk(&all, even).len(), 2);
        let ends = |moves: &[u32]| even(moves) && moves.len() >= 2 && moves[1..].contains(&3);
        assert_eq!(shrunk(&[9, 8, 3, 7], ends).len(), 2);
    }
}
