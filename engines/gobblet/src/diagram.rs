//! The board drawn for a person.
//!
//! Capitals for red and small letters for yellow. Covered pieces are hidden, as on the table; the style
//! [`PEEK`] shows each pile from the bottom up. The pieces off the board stand below, on 4x4 as stacks.

use kit::{Game, Outcome, Side};

use crate::board::Square;
use crate::notation::colour;
use crate::pieces::Size;
use crate::rules::{Gobblet, Position};

/// The style that shows what is covered.
pub(crate) const PEEK: &str = "peek";

/// The board in lines.
pub(crate) fn draw(game: &Gobblet, position: &Position, style: &str) -> String {
    let mut lines = draw_board(game, position, style == PEEK);
    lines.push(String::new());
    lines.extend(Side::BOTH.map(|side| draw_reserve(game, position, side)));
    lines.push(match game.outcome(position) {
        Some(Outcome::Win(side)) => format!("{} has a line and wins", colour(side)),
        _ => format!("{} to move", colour(position.side)),
    });
    lines.join("\n")
}

fn draw_board(game: &Gobblet, position: &Position, peeks: bool) -> Vec<String> {
    let width = game.board.width();
    let cell = 2 * if peeks { usize::from(width) } else { 1 };
    let border = format!("{:-<1$}+", "", cell + 2).repeat(width.into());
    let border = format!("   +{border}");
    let letter = |file| format!(" {:^cell$} ", char::from(b'a' + file));
    let files: Vec<String> = (0..width).map(letter).collect();
    let files = format!("    {}", files.join(" ").trim_end());
    let mut lines = vec![files.clone(), border.clone()];
    for rank in (0..width).rev() {
        let square = |file| {
            let pile = draw_square(position, Square::at(file, rank), peeks);
            format!(" {pile:cell$} |")
        };
        let squares: String = (0..width).map(square).collect();
        lines.push(format!(" {0} |{squares} {0}", rank + 1));
        lines.push(border.clone());
    }
    lines.push(files);
    lines
}

/// The pile from the bottom up, or what can be seen of it.
fn draw_square(position: &Position, square: Square, peeks: bool) -> String {
    let pile: Vec<String> = position.pieces.pile(square).map(draw_piece).collect();
    match pile.last() {
        Some(top) if !peeks => top.clone(),
        _ => pile.concat(),
    }
}

fn draw_piece((side, size): (Side, Size)) -> String {
    match side {
        Side::P1 => format!("R{size}"),
        Side::P2 => format!("y{size}"),
    }
}

/// The pieces off the board, the larger ones first; stacks from the top down.
fn draw_reserve(game: &Gobblet, position: &Position, side: Side) -> String {
    let n_left = move |size| game.n_each() - position.pieces.count(side, size);
    let digit = |size: Size| char::from(b'0' + size);
    let sizes = || (1..=game.largest()).rev();
    let mut words: Vec<String> = if game.has_stacks() {
        let stack = |i| sizes().filter(move |&size| i < n_left(size)).map(digit);
        (0..game.n_each()).map(|i| stack(i).collect()).collect()
    } else {
        let each = |size| (0..n_left(size)).map(move |_| digit(size).to_string());
        sizes().flat_map(each).collect()
    };
    words.retain(|word| !word.is_empty());
    let (colour, words) = (colour(side), words.join(" "));
    let line = format!("{colour:6} ({side}) off the board: {words}");
    line.trim_end().to_owned()
}
