//! `linesman bridge gtp`, and GTP programs that fail.

mod controller;
mod faults;
mod gogui;
mod half_moves;
mod transcript;
