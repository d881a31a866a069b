//! Explanations of illegal moves, in the game's terms.
//!
//! This is a second statement of the rules, based on the lines themselves and independent of the tables that `rules`
//! uses.

use std::{fmt, iter};

use kit::{Rejection, Side};

use crate::moves::Move;
use crate::plane::{Meeting, Segment};
use crate::position::{GraphHockey, Position};

/// Checks a move of the side to move.
pub(crate) fn check(game: &GraphHockey, position: &Position, mv: Move) -> Result<(), Rejection> {
    let conflicts = Conflicts { game, position };
    let end = position.puck + mv.step();
    if !game.field().is_inside(end) {
        return refuse(format!(
            "it would end at {end}, and a move has to end inside the boundary"
        ));
    }
    let Some((closely, line)) = conflicts.closest(mv) else {
        return Ok(());
    };
    let would = match closely {
        Meeting::Along => "run along",
        _ => "touch or cross",
    };
    if conflicts.has_move(Meeting::Apart) {
        refuse(format!("it would {would} {line}"))
    } else if closely == Meeting::Along && conflicts.has_move(Meeting::Touching) {
        refuse(format!("even a free jump may not {would} {line}"))
    } else {
        Ok(())
    }
}

fn refuse(why: String) -> Result<(), Rejection> {
    Err(Rejection(why))
}

/// The lines of a game on paper.
struct Conflicts<'a> {
    game: &'a GraphHockey,
    position: &'a Position,
}

/// A line that a move may meet.
#[derive(Debug, Clone, Copy)]
enum NamedLine {
    Initial,
    /// Drawn by the move of this number, counted from 1.
    Drawn(usize, Move),
    /// The outline of the goal that this player plays for.
    Outline(Side),
}

impl Conflicts<'_> {
    /// `true` if any move ends inside the boundary and conflicts with each line at most to this degree.
    fn has_move(&self, closely: Meeting) -> bool {
        let fits = |mv| {
            self.closest(mv)
                .is_none_or(|(meeting, _)| meeting <= closely)
        };
        let mut inside = self.game.field().moves_inside(self.position.puck);
        inside.any(fits)
    }

    /// The line with the worst conflict, the first of equals; `None` if no line conflicts.
    fn closest(&self, mv: Move) -> Option<(Meeting, NamedLine)> {
        let from = self.position.puck;
        let way = Segment {
            from,
            to: from + mv.step(),
        };
        let meetings = self
            .lines()
            .map(|(line, segment)| (way.meets(&segment), line))
            .filter(|(meeting, line)| match line {
                NamedLine::Outline(_) => *meeting == Meeting::Along,
                _ => *meeting != Meeting::Apart,
            });
        meetings.reduce(|first, next| if next.0 > first.0 { next } else { first })
    }

    fn lines(&self) -> impl Iterator<Item = (NamedLine, Segment)> {
        let moves = self.position.path.iter().zip(1..);
        let drawn = moves.map(|(&mv, number)| NamedLine::Drawn(number, mv));
        let names = iter::once(NamedLine::Initial).chain(drawn);
        let outline = |side| {
            let segments = self.game.field().outline(side);
            segments.map(|segment| (NamedLine::Outline(side), segment))
        };
        names
            .zip(self.game.lines(self.position))
            .chain(Side::BOTH.into_iter().flat_map(outline))
    }
}

impl fmt::Display for NamedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedLine::Initial => f.write_str("the initial segment"),
            NamedLine::Drawn(number, mv) => write!(f, "the line of move {number} ({mv})"),
            NamedLine::Outline(Side::P1) => f.write_str("the outline of the bottom goal"),
            NamedLine::Outline(Side::P2) => f.write_str("the outline of the top goal"),
        }
    }
}
