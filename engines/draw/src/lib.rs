//! One model of a board for all games. A game fills a [`Board`] once; text of any width, SVG ([`svg`]) and the JSON of
//! `query diagram` are made of it here. [`grid`] reads boards that were drawn as text; [`about`] and [`lesson`] are the
//! texts for new players. No game is named here, and nothing is known of rules.

/// ANSI text styles.
pub use anstyle;

pub mod about;
mod board;
mod builder;
mod clean;
pub mod grid;
mod keyboard;
pub mod lesson;
mod palette;
mod shape;
mod side;
pub mod svg;
mod text_board;
mod text_canvas;
mod view;

pub use about::{About, GameTexts, RuleSection};
pub use board::{Board, BoardCopy, Direction, Gesture, Input, Neighbours, Spot};
pub use builder::DiagramBuilder;
pub use lesson::{Goal, Lesson, LessonStep};
pub use shape::{DiagramColour, Form, Point, Rectangle, Role, Shape};
pub use side::Side;
pub use text_board::{PANEL, TextBoard, TextPage};
pub use text_canvas::{Glyph, LastMove, TextCanvas, TextSpot, coloured, paint, side_style};
pub use view::{Room, View};
