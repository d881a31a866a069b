//! A position for each line and each square of the default board, for `linesman check`.

use kit::PlacePosition;

/// Squares per side of the default board.
const WIDTH: usize = 3;

/// File and rank, from 0.
type Place = (usize, usize);

/// For each line, each of its squares and each side: a move to that square completes the line. For each square and each
/// side: a piece on it is covered.
pub(crate) fn place_positions() -> Vec<PlacePosition> {
    let mut all = Vec::new();
    for line in lines() {
        for &last in &line {
            for colour in ["r", "y"] {
                let others = line.iter().copied().filter(|place| *place != last);
                let names: Vec<String> = line.iter().map(name).collect();
                all.push(PlacePosition {
                    place: format!("line {}, {} last", names.join(" "), name(&last)),
                    position: position(&others.collect::<Vec<_>>(), colour, colour),
                    moves: vec![format!("3@{}", name(&last))],
                });
            }
        }
    }
    for square in (0..WIDTH * WIDTH).map(|n| (n % WIDTH, n / WIDTH)) {
        for [colour, other] in [["r", "y"], ["y", "r"]] {
            all.push(PlacePosition {
                place: format!("square {}", name(&square)),
                position: position(&[square], colour, other),
                moves: vec![format!("2@{}", name(&square))],
            });
        }
    }
    all
}

fn lines() -> Vec<Vec<Place>> {
    let line = |place: &dyn Fn(usize) -> Place| (0..WIDTH).map(place).collect();
    let mut lines = vec![line(&|n| (n, n)), line(&|n| (n, WIDTH - 1 - n))];
    for fixed in 0..WIDTH {
        lines.extend([line(&|n| (n, fixed)), line(&|n| (fixed, n))]);
    }
    lines
}

fn name((file, rank): &Place) -> String {
    format!("{}{}", char::from(b'a' + *file as u8), rank + 1)
}

/// A position string with a piece of size 1 on each of these squares.
fn position(squares: &[Place], colour: &str, to_move: &str) -> String {
    let square = |place| match squares.contains(&place) {
        true => format!("{colour}1"),
        false => ".".to_owned(),
    };
    let rank = |rank| {
        let squares: Vec<String> = (0..WIDTH).map(|file| square((file, rank))).collect();
        squares.join(",")
    };
    let ranks: Vec<String> = (0..WIDTH).rev().map(rank).collect();
    format!("{} {to_move}", ranks.join("/"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_line_and_no_square_is_left_out() {
        let places = place_positions().into_iter().map(|one| one.place);
        let places: BTreeSet<String> = places.collect();
        let n_lines = places
            .iter()
            .filter(|place| place.starts_with("line"))
            .count();
        assert_eq!(
            (n_lines, places.len() - n_lines),
            (8 * WIDTH, WIDTH * WIDTH)
        );
    }
}
