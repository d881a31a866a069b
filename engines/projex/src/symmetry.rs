//! The symmetries of a board: the maps of its cells that preserve adjacency.
//!
//! The triangles of neighbours cover the projective plane, so such a map is a map of the plane: global loops remain
//! global loops. It is determined by the image of one triangle, because two triangles with a common side have one more
//! cell each.

use std::collections::HashSet;

use crate::bridges::touching_both;
use crate::geometry::{Cell, Geometry};

/// All symmetries of a board, as the image of each cell; the identity is the first.
pub(crate) fn symmetries(board: &Geometry) -> Vec<Vec<Cell>> {
    let first = triangles_at(board, 0)
        .next()
        .expect("every cell has neighbours");
    let images = board.cells().flat_map(|cell| triangles_at(board, cell));
    let mut maps: Vec<_> = images
        .filter_map(|image| extended(board, first, image))
        .collect();
    maps.sort_unstable();
    maps
}

type Triangle = [Cell; 3];

/// The triangles at a cell, each in both directions.
fn triangles_at(board: &Geometry, cell: Cell) -> impl Iterator<Item = Triangle> + '_ {
    let around = board.neighbours(cell).iter();
    around.flat_map(move |&next| touching_both(board, cell, next).map(|third| [cell, next, third]))
}

/// The symmetry that maps one triangle to another, if there is one.
fn extended(board: &Geometry, from: Triangle, to: Triangle) -> Option<Vec<Cell>> {
    let mut images = vec![None; board.n_cells()];
    for (cell, image) in from.into_iter().zip(to) {
        images[usize::from(cell)] = Some(image);
    }
    let mut front = vec![(from, to)];
    let mut seen = HashSet::new();
    while let Some((from, to)) = front.pop() {
        let mut cells = from;
        cells.sort_unstable();
        if !seen.insert(cells) {
            continue;
        }
        for side in 0..3 {
            let (next, image) = (beyond(board, from, side), beyond(board, to, side));
            let known = images[usize::from(next[0])].get_or_insert(image[0]);
            if *known != image[0] {
                return None;
            }
            front.push((next, image));
        }
    }
    let images: Vec<Cell> = images.into_iter().collect::<Option<_>>()?;
    keeps_neighbours(board, &images).then_some(images)
}

/// The triangle across the side opposite to one of the three cells; its new cell comes first.
fn beyond(board: &Geometry, triangle: Triangle, side: usize) -> Triangle {
    let [a, b] = [triangle[(side + 1) % 3], triangle[(side + 2) % 3]];
    let [one, other] = touching_both(board, a, b);
    let new = if one == triangle[side] { other } else { one };
    [new, a, b]
}

fn keeps_neighbours(board: &Geometry, images: &[Cell]) -> bool {
    board.cells().all(|cell| {
        let image = images[usize::from(cell)];
        let around = board.neighbours(image);
        let ring = board.neighbours(cell);
        ring.len() == around.len()
            && ring
                .iter()
                .all(|&next| around.contains(&images[usize::from(next)]))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fastrand::Rng;
    use kit::Side;

    use super::*;
    use crate::Projex;
    use crate::position::Colour;

    #[test]
    fn symmetries_are_permutations_and_form_a_group() {
        for board in Geometry::SIZES.map(Geometry::new) {
            let maps = symmetries(&board);
            let all: BTreeSet<&Vec<Cell>> = maps.iter().collect();
            assert_eq!((maps.len(), all.len()), (6, 6), "size {}", board.size());
            assert!(maps[0].iter().copied().eq(board.cells()), "the identity");
            for one in &maps {
                let cells: BTreeSet<&Cell> = one.iter().collect();
                assert_eq!(cells.len(), board.n_cells());
                for other in &maps {
                    let both: Vec<Cell> =
                        other.iter().map(|&cell| one[usize::from(cell)]).collect();
                    assert!(all.contains(&both));
                }
            }
        }
    }

    /// Compares stones on random cells with their images under each symmetry.
    #[test]
    fn symmetric_positions_have_one_key_and_one_winner() {
        let mut rng = Rng::with_seed(1);
        for size in [3, 4, 7] {
            let game: Projex = laws::testing::game(&format!("Size={size}"));
            let maps = symmetries(game.board());
            let mut n_won = 0;
            for _ in 0..200 {
                let mut stone = || [None, Some(Colour::X), Some(Colour::O)][rng.usize(..3)];
                let stones: Vec<_> = game.board().cells().map(|_| stone()).collect();
                let position = game.set_up(&stones, Side::P2);
                n_won += usize::from(position.holder().is_some());
                for map in &maps {
                    let mut images = vec![None; stones.len()];
                    for (&image, &stone) in map.iter().zip(&stones) {
                        images[usize::from(image)] = stone;
                    }
                    let image = game.set_up(&images, Side::P2);
                    assert_eq!(image.holder(), position.holder());
                    assert_eq!(game.smallest_key(&image), game.smallest_key(&position));
                }
            }
            assert!((5..195).contains(&n_won), "size {size}: {n_won}");
        }
    }
}
