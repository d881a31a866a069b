//! GTP, the Go Text Protocol, as GoGui speaks it to programs that know other games than Go.
//!
//! GoGui takes the board, the legal moves and the side to move from the program (`gogui-rules_*`) and sends single
//! points. A move of two clicks is two half moves: after the first one, the same side is to move. Black is player 1.
//! `swap` and `pass` are a pass; after a swap, black is still player 1, and the stones on the board exchange their
//! colours.
//!
//! [`command`], [`vertex`] and [`response`] are lines as values and back; `layout` says where each game's spots lie,
//! `half_move_game` makes the moves, `session` answers the commands.

pub mod command;
pub mod response;
pub mod vertex;

mod clock;
mod half_move_game;
mod layout;
mod picture;
mod session;

pub use session::run;
