//! The server's figure of a size 6 board: capital letters (and one `#`) are the border cells, a small letter is the
//! place that shows that cell on the far side.

use std::collections::{BTreeMap, BTreeSet};

use projex::geometry::{Cell, Geometry};

const FIGURE: &str = include_str!("data/far_side.txt");

/// The characters of the figure by line and column.
fn figure() -> BTreeMap<(i32, i32), char> {
    let places = (0..).zip(FIGURE.lines()).flat_map(|(line, text)| {
        let place = move |(column, c): (usize, char)| ((line, column as i32), c);
        text.chars().enumerate().map(place)
    });
    places.filter(|(_, c)| *c != ' ').collect()
}

/// The cells of the board by line and column: from the second line on, those between the first and the last character
/// of a line.
fn cells(figure: &BTreeMap<(i32, i32), char>) -> Vec<(i32, i32)> {
    let is_inner = |&&(line, column): &&(i32, i32)| {
        (1..=10).contains(&line)
            && figure.contains_key(&(line, column - 2))
            && figure.contains_key(&(line, column + 2))
    };
    figure.keys().filter(is_inner).copied().collect()
}

#[test]
fn far_neighbours_are_those_of_the_figure() {
    let (figure, board) = (figure(), Geometry::new(6));
    let cells = cells(&figure);
    assert_eq!(cells.len(), board.n_cells());
    let named = |name: char| -> Cell {
        let is_it = |place: &(i32, i32)| figure[place] == name;
        cells.iter().position(is_it).expect("a border cell") as Cell
    };
    let mut n_border = 0;
    for (cell, place) in (0..).zip(&cells) {
        let touching = [(0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1), (1, -1)]
            .map(|(line, column)| (place.0 + line, place.1 + column));
        let in_figure: BTreeSet<Cell> = touching
            .iter()
            .filter(|place| !cells.contains(place))
            .map(|place| named(figure[place].to_ascii_uppercase()))
            .collect();
        let far = board.steps(cell).filter(|&(_, is_crossing)| is_crossing);
        assert_eq!(
            far.map(|step| step.0).collect::<BTreeSet<_>>(),
            in_figure,
            "{}",
            figure[place]
        );
        n_border += usize::from(!in_figure.is_empty());
    }
    assert_eq!(n_border, 27);
}
