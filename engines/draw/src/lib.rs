//! One model of a board for all games. A game fills a [`Board`] once; text of any width, SVG ([`svg`]) and the JSON of
//! `query diagram` are made of it here. [`grid`] reads boards that were drawn as text; [`about`] has the texts
//! for new players. No game is named here, and nothing is known of rules.

/// ANSI text styles.
pub use anstyle;

pub mod about;
mod board;
mod canvas;
mod cell;
mod clean;
mod dots;
pub mod grid;
mod keyboard;
mod page;
mod shape;
mod side;
pub mod svg;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use about::{About, GameTexts, Goal, Lesson, LessonStep, RuleSection};
pub use board::{Board, BoardCopy, Gesture, Input, Neighbours, Spot, TextForm};
pub use canvas::{Glyph, TextPage, TextSpot};
pub use cell::{Cell, Piece, Sign};
pub use keyboard::Direction;
pub use shape::{DiagramColour, Form, Point, Rectangle, Role, Shape};
pub use side::Side;
pub use text::ASCII;
pub use view::{Room, View};
