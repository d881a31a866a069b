//! Tests of the symmetries of the board: maps of its cells that preserve adjacency. The triangles of neighbours cover the
//! projective plane, so global loops remain global loops.

use std::collections::BTreeSet;

use fastrand::Rng;
use kit::Side;

use crate::Projex;
use crate::geometry::{Cell, Geometry};
use crate::position::Colour;

#[test]
fn symmetries_are_permutations_and_form_a_group() {
    for board in Geometry::SIZES.map(Geometry::new) {
        let maps = board.symmetries();
        let all: BTreeSet<&Vec<Cell>> = maps.iter().collect();
        assert_eq!((maps.len(), all.len()), (6, 6), "size {}", board.size());
        assert!(maps[0].iter().copied().eq(board.cells()), "the identity");
        for one in &maps {
            let cells: BTreeSet<&Cell> = one.iter().collect();
            assert_eq!(cells.len(), board.n_cells());
            assert!(keeps_neighbours(&board, one), "size {}", board.size());
            for other in &maps {
                let both: Vec<Cell> = other.iter().map(|&cell| one[usize::from(cell)]).collect();
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
        let game = laws::testing::game::<Projex>(&format!("Size={size}"));
        let maps = game.board().symmetries();
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
