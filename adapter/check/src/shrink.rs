//! Shrinks a list of moves that shows a difference.

/// Maximum length of a list for which deleting pairs of moves is tried.
const MAX_FOR_PAIRS: usize = 40;

/// Deletes moves while `shows` returns `true`: first halves, then smaller and smaller pieces, down to single moves and
/// pairs. `shows` must be `true` for the original list.
pub(super) fn shrink<T: Clone, E>(
    mut moves: Vec<T>,
    mut shows: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut size = moves.len().div_ceil(2);
    while size > 0 {
        let shorter = match without_piece(&moves, size, &mut shows)? {
            None if size == 1 => without_two(&moves, &mut shows)?,
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
    Ok(moves)
}

/// Removes one piece of `size` moves for which `shows` remains `true`; tries later pieces first.
fn without_piece<T: Clone, E>(
    moves: &[T],
    size: usize,
    shows: &mut impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<Vec<T>>, E> {
    for start in (0..=moves.len() - size).rev() {
        let shorter = [&moves[..start], &moves[start + size..]].concat();
        if shows(&shorter)? {
            return Ok(Some(shorter));
        }
    }
    Ok(None)
}

/// Removes two moves for which `shows` remains `true`. Used if no single move can be deleted.
fn without_two<T: Clone, E>(
    moves: &[T],
    shows: &mut impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<Vec<T>>, E> {
    if moves.len() > MAX_FOR_PAIRS {
        return Ok(None);
    }
    for second in (1..moves.len()).rev() {
        for first in (0..second).rev() {
            let mut shorter = moves.to_vec();
            shorter.remove(second);
            shorter.remove(first);
            if shows(&shorter)? {
                return Ok(Some(shorter));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(moves: &[u32], shows: impl Fn(&[u32]) -> bool) -> Vec<u32> {
        shrink(moves.to_vec(), |moves| Ok::<_, ()>(shows(moves))).expect("nothing fails")
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

    #[test]
    fn an_error_ends_the_shrinking() {
        assert_eq!(shrink(vec![1, 2], |_| Err::<bool, _>("gone")), Err("gone"));
    }
}
