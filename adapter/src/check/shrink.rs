//! A long list of moves that shows a difference, made short.

/// The list with as much taken out as leaves `shows` true: halves first, then ever smaller pieces, until not one
/// move can be spared. `moves` itself must show it.
pub(super) fn shrink<T: Clone, E>(
    mut moves: Vec<T>,
    mut shows: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut size = moves.len().div_ceil(2);
    while size > 0 {
        match spare(&moves, size, &mut shows)? {
            Some(shorter) => {
                moves = shorter;
                size = size.min(moves.len());
            }
            // Two moves, one of each player, can often be spared where one cannot.
            None => size /= 2,
        }
    }
    Ok(moves)
}

/// The list without some piece of this size that can be spared, the last one first.
fn spare<T: Clone, E>(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(moves: &[u32], shows: impl Fn(&[u32]) -> bool) -> Vec<u32> {
        shrink(moves.to_vec(), |moves| Ok::<_, ()>(shows(moves))).expect("nothing fails")
    }

    #[test]
    fn what_is_needed_stays() {
        let all: Vec<u32> = (0..50).collect();
        assert_eq!(
            shrunk(&all, |moves| moves.contains(&7) && moves.contains(&41)),
            [7, 41]
        );
        assert_eq!(shrunk(&all, |_| true), [0; 0]);
        assert_eq!(shrunk(&all, |moves| moves == all), all);
    }

    #[test]
    fn pairs_go_where_single_moves_cannot() {
        let all: Vec<u32> = (0..20).collect();
        let even = |moves: &[u32]| moves.len() % 2 == 0 && moves.contains(&3);
        assert_eq!(shrunk(&all, even).len(), 2);
    }

    #[test]
    fn an_error_ends_it() {
        assert_eq!(shrink(vec![1, 2], |_| Err::<bool, _>("gone")), Err("gone"));
    }
}
