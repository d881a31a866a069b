//! `linesman gui` over the wire: what its page can do, and what nobody else can.

mod access;
mod engines;
mod games;
mod limits;
mod matches;
mod page;
mod people;
mod records;
mod slow_pages;
