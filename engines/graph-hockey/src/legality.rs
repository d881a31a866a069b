//! Explanations of illegal moves, in the game's terms.
//!
//! This is a second statement of the rules, based on the lines themselves and independent of the tables that `rules`
//! uses.

use kit::{Rejection, Side};

use crate::moves::Move;
use crate::plane::{Meeting, Segment};
use crate::position::{GraphHockey, Position};

/// Checks a move of the side to move.
pub(crate) fn check(game: &GraphHockey, position: &Position, mv: Move) -> Result<(), Rejection> {
    let conflicts = Conflicts { game, position };
    let end = position.puck + mv.step();
    if !game.field().is_inside(end) {
        return Err(
            format!("it would end at {end}, and a move has to end inside the boundary").into(),
        );
    }
    let Some((closely, line)) = conflicts.closest(mv) else {
        return Ok(());
    };
    let line = conflicts.name(line);
    let would = match closely {
        Meeting::Along => "run along",
        _ => "touch or cross",
    };
    if conflicts.has_move(Meeting::Apart) {
        Err(format!("it would {would} {line}").into())
    } else if closely == Meeting::Along && conflicts.has_move(Meeting::Touching) {
        Err(format!("even a free jump may not {would} {line}").into())
    } else {
        Ok(())
    }
}

/// The lines of a game on paper.
struct Conflicts<'a> {
    game: &'a GraphHockey,
    position: &'a Position,
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

    /// The line with the worst conflict, the first of equals, by its index in [`lines`](Self::lines); `None` if no line
    /// conflicts.
    fn closest(&self, mv: Move) -> Option<(Meeting, usize)> {
        let from = self.position.puck;
        let to = from + mv.step();
        let way = Segment { from, to };
        let meetings = self.lines().map(|line| way.meets(&line)).zip(0..);
        let conflicts = meetings.filter(|&(meeting, line)| match self.outline(line) {
            Some(_) => meeting == Meeting::Along,
            None => meeting != Meeting::Apart,
        });
        conflicts.reduce(|first, next| if next.0 > first.0 { next } else { first })
    }

    /// The lines in the order drawn, then the outlines of the goals.
    fn lines(&self) -> impl Iterator<Item = Segment> {
        let outlines = Side::BOTH.map(|side| self.game.field().outline(side));
        let drawn = self.game.lines(self.position);
        drawn.chain(outlines.into_iter().flatten())
    }

    /// The player who plays for the goal of an outline; `None` for a drawn line.
    fn outline(&self, line: usize) -> Option<Side> {
        let number = line.checked_sub(self.position.path.len() + 1)?;
        Some(Side::BOTH[number / 4])
    }

    fn name(&self, line: usize) -> String {
        match (self.outline(line), line.checked_sub(1)) {
            (Some(Side::P1), _) => "the outline of the bottom goal".to_owned(),
            (Some(Side::P2), _) => "the outline of the top goal".to_owned(),
            (None, None) => "the initial segment".to_owned(),
            (None, Some(i)) => format!("the line of move {line} ({})", self.position.path[i]),
        }
    }
}
