//! `linesman bridge gtp`, and GTP programs as players.

mod controller;
mod faults;
mod gogui;
mod half_moves;
mod players;
mod transcript;
mod twogtp;
