//! `linesman bridge gtp`, and GTP programs as players.

mod controller;
mod gogui;
mod half_moves;
mod players;
mod transcript;
