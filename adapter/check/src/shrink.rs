//! Shrinks a list of moves that shows a difference.

/// Maximum length of a list for which deleting pairs of moves is tried.
const MAX_FOR_PAIRS: usize = 40;

/// Deletes moves while `shows` returns `true`: first halves, then smaller and smaller pieces, down to single moves and
/// pairs. `shows` must be `true` for the original list.
pub(super) fn shrink<T: Clone>(mut moves: Vec<T>, mut shows: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut size = moves.len().div_ceil(2);
    while size > 0 {
        let shorter = match without_piece(&moves, size, &mut shows) {
            None if size == 1 => without_two(&moves, &mut shows),
            shorter => shorter,
        };
        match shorter {
            Some(shorter) => {
                moves = shorter;
                size = size.min(moves.len());
            }
            None => size /= 2,
        }
    }
    moves
}

/// Removes one piece of `size` moves for which `shows` remains `true`; tries later pieces first.
fn without_piece<T: Clone>(
    moves: &[T],
    size: usize,
    shows: &mut impl FnMut(&[T]) -> bool,
) -> Option<Vec<T>> {
    let starts = (0..=moves.len() - size).rev();
    let mut shorter = starts.map(|at| [&moves[..at], &moves[at + size..]].concat());
    shorter.find(|shorter| shows(shorter))
}

/// Removes two moves for which `shows` remains `true`. Used if no single move can be deleted.
fn without_two<T: Clone>(moves: &[T], shows: &mut impl FnMut(&[T]) -> bool) -> Option<Vec<T>> {
    let pairs = (1..moves.len())
        .rev()
        .flat_map(|second| (0..second).rev().map(move |first| (first, second)));
    let pairs = pairs.filter(|_| moves.len() <= MAX_FOR_PAIRS);
    let mut shorter = pairs.map(|(first, second)| {
        let parts = [
            &moves[..first],
            &moves[first + 1..second],
            &moves[second + 1..],
        ];
        parts.concat()
    });
    shorter.find(|shorter| shows(shorter))
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
