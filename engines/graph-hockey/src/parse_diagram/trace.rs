//! Search for moves that draw the lines of a drawing.

use std::collections::{HashMap, HashSet};

use kit::{DrawRequest, Game, Notation, Rejection, Side, View};

use super::sheet::Sheet;
use super::{MAX_MOVES, ReadLegend};
use crate::diagram;
use crate::moves::Move;
use crate::plane::{GridPoint, Segment};
use crate::position::{GraphHockey, Position};

/// Maximum number of positions to try.
const MAX_NODES: usize = 10_000;

/// Maximum number of consecutive moves that draw nothing new.
const MAX_IDLE: usize = 2;

/// Maximum number of games with the same lines that are compared with the drawing. They differ in what is written over
/// the lines near the puck, such as the letters of the legal moves.
const MAX_FOUND: usize = 128;

/// Returns the moves of a game that ends in the drawn position.
///
/// # Errors
/// No such game was found.
pub(super) fn trace(
    game: &GraphHockey,
    sheet: &Sheet,
    legend: ReadLegend,
) -> Result<Vec<Move>, Rejection> {
    let mut search = PathSearch {
        game,
        sheet,
        legend,
        dots: vec![0; sheet.len()],
        n_wrong: (0..sheet.len()).filter(|at| !sheet.shows(*at, 0)).count(),
        n_nodes: 0,
        failed: HashSet::new(),
        strokes: HashMap::new(),
        first: None,
        n_found: 0,
    };
    let field = game.field();
    let outlines = Side::BOTH.into_iter().flat_map(|side| field.outline(side));
    let lines = field.boundary().into_iter().chain(outlines);
    for line in lines.chain([field.initial_segment()]) {
        let stroke = sheet.stroke(line);
        search.draw(&stroke);
    }
    let mut position = game.start();
    if search.find(&mut position, 0) {
        return Ok(position.path);
    }
    if let Some(path) = search.first {
        return Ok(path);
    }
    Err(match search.n_nodes < MAX_NODES {
        true => "no game draws these lines: expected a whole field, as board draws it".into(),
        false => "the lines can be drawn in too many ways: expected a position string".into(),
    })
}

struct PathSearch<'a> {
    game: &'a GraphHockey,
    sheet: &'a Sheet,
    legend: ReadLegend,
    /// The dots drawn so far.
    dots: Vec<u8>,
    /// Number of characters whose dots differ from the drawing.
    n_wrong: usize,
    n_nodes: usize,
    /// Positions, by key and number of moves, from which no game was found.
    failed: HashSet<(u64, usize)>,
    /// The characters and dots of each move.
    strokes: HashMap<(GridPoint, usize), Vec<(usize, u8)>>,
    /// The first game that draws these lines.
    first: Option<Vec<Move>>,
    n_found: usize,
}

impl PathSearch<'_> {
    /// Plays moves until the drawing is complete. Returns `true` if it is. The last `n_idle` moves drew nothing new.
    fn find(&mut self, position: &mut Position, n_idle: usize) -> bool {
        if self.has_its_lines(position) {
            if self.is_drawn_so(position) {
                return true;
            }
            self.first.get_or_insert_with(|| position.path.clone());
            self.n_found += 1;
        }
        let n_moves = position.path.len();
        let most = self.legend.n_moves.unwrap_or(MAX_MOVES);
        let is_over = self.game.outcome(position).is_some();
        let is_enough = self.n_found >= MAX_FOUND || self.n_nodes >= MAX_NODES;
        if n_moves >= most || is_over || n_idle > MAX_IDLE || is_enough {
            return false;
        }
        self.n_nodes += 1;
        let key = (self.game.key(position), n_moves);
        if self.failed.contains(&key) {
            return false;
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        for mv in moves {
            let Some(drawn) = self.try_draw(position.puck, mv) else {
                continue;
            };
            let undo = self.game.play(position, mv);
            let idle = if drawn.is_empty() { n_idle + 1 } else { 0 };
            if self.find(position, idle) {
                return true;
            }
            self.game.undo(position, mv, undo);
            self.restore(&drawn);
        }
        self.failed.insert(key);
        false
    }

    fn has_its_lines(&self, position: &Position) -> bool {
        let ReadLegend {
            turn,
            n_moves,
            last,
        } = self.legend;
        self.n_wrong == 0
            && self.sheet.has_puck(position.puck)
            && n_moves.is_none_or(|n_moves| n_moves == position.path.len())
            && turn.is_none_or(|turn| turn == self.game.side(position))
            && last.is_none_or(|last| position.path.last() == Some(&last))
    }

    /// `true` if the position is drawn exactly like this, in any style.
    fn is_drawn_so(&self, position: &Position) -> bool {
        let styles = [""].into_iter().chain(GraphHockey::STYLES.iter().copied());
        let mut views = styles.flat_map(|style| {
            [false, true].map(|is_ascii| View {
                is_ascii,
                ..View::styled(style)
            })
        });
        views.any(|view| {
            let request = DrawRequest {
                position,
                last: position.path.last().copied(),
                outcome: self.game.outcome(position),
                view,
            };
            let drawn = diagram::draw(self.game, &request).canvas.text(false);
            drawn.lines().count() >= self.sheet.lines().len()
                && drawn
                    .lines()
                    .zip(self.sheet.lines())
                    .all(|(drawn, line)| drawn.starts_with(line.as_str()))
        })
    }

    /// Draws a move if its dots are in the drawing. Returns the characters that change, with their previous dots.
    fn try_draw(&mut self, puck: GridPoint, mv: Move) -> Option<Vec<(usize, u8)>> {
        let sheet = self.sheet;
        let stroke = self.strokes.entry((puck, mv.index())).or_insert_with(|| {
            sheet.stroke(Segment {
                from: puck,
                to: puck + mv.step(),
            })
        });
        let dots = &self.dots;
        let mut places = stroke.iter();
        if !places.all(|(at, bits)| sheet.may_show(*at, dots[*at] | bits)) {
            return None;
        }
        let stroke = stroke.clone();
        Some(self.draw(&stroke))
    }

    fn draw(&mut self, stroke: &[(usize, u8)]) -> Vec<(usize, u8)> {
        let mut changed = Vec::new();
        for &(at, bits) in stroke {
            let old = self.dots[at];
            if old | bits != old {
                changed.push((at, old));
                self.set(at, old | bits);
            }
        }
        changed
    }

    fn restore(&mut self, changed: &[(usize, u8)]) {
        for &(at, old) in changed {
            self.set(at, old);
        }
    }

    fn set(&mut self, at: usize, dots: u8) {
        self.n_wrong -= usize::from(!self.sheet.shows(at, self.dots[at]));
        self.dots[at] = dots;
        self.n_wrong += usize::from(!self.sheet.shows(at, dots));
    }
}
