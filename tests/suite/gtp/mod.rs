//! `linesman bridge gtp`, driven as GoGui drives it.

mod controller;
mod gogui;
mod half_moves;
