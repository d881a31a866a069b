//! The field as a diagram, in eighths of an inch, with (0, 0) at the upper left corner. Only the destinations of legal
//! moves are clickable. The diagram is never rotated, because a letter means a direction on the page.

use draw::{Board, DiagramBuilder, DiagramColour, Form, Input, Point, Rectangle, Role};
use kit::{DrawRequest, Game, Side};

use super::caption::{caption, is_ruled_out, legal};
use crate::moves::Move;
use crate::plane;
use crate::position::{GraphHockey, Level};

/// Eighths per inch.
const INCH: i32 = 8;
/// Distance from the puck to the edge of the focus: slightly more than the longest move.
const FOCUS: i32 = 9;
const TRAIL: f64 = 0.2;
const LAST_TRAIL: f64 = 0.32;
/// Plies whose lines are in the same two shapes, one for each player. Finished shapes never change, so a client receives
/// each of them once.
const PLIES_TOGETHER: usize = 12;
const PUCK: f64 = 0.5;
/// Destinations of moves may be one unit apart.
const TARGET: f64 = 0.44;
/// Radius of the mark at the origin of a free jump or of strangeness.
const JUMP: f64 = 0.9;
/// Distance from the puck to the name of the level, beyond the ends of the near moves; and the size of the name.
const LEVEL: f64 = 3.8;
const LEVEL_SIZE: f64 = 1.3;

/// Draws the goals, the path by player, the puck, and the destinations of legal moves.
pub(crate) fn diagram(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> Board {
    let caption = caption(game, request);
    let page = request.board(game, caption, |mv| Input::spot(mv.to_string()));
    let mut picture = FieldPicture {
        game,
        request,
        page,
    };
    picture.put_field();
    picture.put_path();
    picture.put_jumps();
    picture.put_moves();
    picture.put_puck();
    picture.put_level();
    picture.page.finish()
}

struct FieldPicture<'a> {
    game: &'a GraphHockey,
    request: &'a DrawRequest<'a, GraphHockey>,
    page: DiagramBuilder,
}

impl FieldPicture<'_> {
    /// Draws graph paper with the inches marked, the goals and the boundary.
    fn put_field(&mut self) {
        let (width, height) = (self.game.field().width(), self.game.field().height());
        let (right, low) = (f64::from(width), f64::from(height));
        let middle = Point::new(right / 2.0, low / 2.0);
        let (around, field) = (
            Form::rectangle(middle, right + 3.0, low + 3.0),
            Form::rectangle(middle, right, low),
        );
        self.page.put(Role::Board, around);
        self.page.put(Role::Cell, field.clone());
        for (step, thickness) in [(1, 0.05), (INCH, 0.14)] {
            let lines = grid(width, height, step);
            let width = thickness;
            self.page.put(Role::Grid, Form::Path { lines, width });
        }
        for side in Side::BOTH {
            self.put_goal(side);
        }
        if let Form::Polygon { points: mut edge } = field {
            edge.push(edge[0]);
            self.page.put(Role::Trail, Form::line(edge, 0.4));
        }
    }

    fn put_goal(&mut self, side: Side) {
        let (low, high) = self.game.field().goal(side);
        let (low, high) = (self.place(low), self.place(high));
        let middle = Rectangle::around([low, high]).centre();
        let (goal, name) = (
            Form::rectangle(middle, f64::from(INCH), f64::from(INCH)),
            Form::text(middle, 3.0, side.to_string()),
        );
        self.page.put_of(DiagramColour::of(side), Role::Goal, goal);
        self.page.put_of(DiagramColour::of(side), Role::Goal, name);
    }

    /// Draws the initial segment, then each player's lines, with the last one on top.
    fn put_path(&mut self) {
        let game = self.game;
        let lines = game.lines(self.request.position);
        let lines: Vec<Vec<Point>> = lines
            .map(|segment| {
                [segment.from, segment.to]
                    .map(|end| self.place(end))
                    .to_vec()
            })
            .collect();
        let (initial, drawn) = (&lines[0], &lines[1..]);
        let first = Form::line(initial.iter().copied(), TRAIL);
        self.page.put(Role::Trail, first);
        for together in drawn.chunks(PLIES_TOGETHER) {
            for (side, skip) in [(Side::P1, 0), (Side::P2, 1)] {
                let lines: Vec<Vec<Point>> =
                    together.iter().skip(skip).step_by(2).cloned().collect();
                if !lines.is_empty() {
                    let width = TRAIL;
                    let form = Form::Path { lines, width };
                    self.page.put_of(DiagramColour::of(side), Role::Trail, form);
                }
            }
        }
        if let Some(last) = drawn.last() {
            let side = Side::BOTH[(drawn.len() - 1) % 2];
            let last = Form::line(last.iter().copied(), LAST_TRAIL);
            self.page
                .put_of(DiagramColour::of(side), Role::LastTrail, last);
        }
    }

    /// Marks the points at which no ordinary move was left: those of the game, and the puck's.
    fn put_jumps(&mut self) {
        let game = self.game;
        let mut position = game.start();
        let path = &self.request.position.path;
        for &mv in path {
            self.put_jump(position.puck, game.level(&position).0);
            game.play(&mut position, mv);
        }
        if !self.request.is_over() {
            self.put_jump(position.puck, game.level(&position).0);
        }
    }

    /// Marks a point by a ring for a free jump, and by a square on its corner for strangeness.
    fn put_jump(&mut self, puck: plane::GridPoint, level: Level) {
        let at = self.place(puck);
        let form = match level {
            Level::Ordinary => return,
            Level::FreeJump => Form::circle(at, JUMP),
            Level::Strangeness => {
                let corners = [(0.0, -JUMP), (JUMP, 0.0), (0.0, JUMP), (-JUMP, 0.0)];
                Form::polygon(corners.map(|(x, y)| at.moved(x, y)))
            }
        };
        self.page.put(Role::Jump, form);
    }

    /// Writes the level next to the puck, unless it is the ordinary one.
    fn put_level(&mut self) {
        let position = self.request.position;
        let name = match self.game.level(position).0 {
            Level::FreeJump => "free jump",
            Level::Strangeness => "strangeness",
            Level::Ordinary => return,
        };
        if self.request.is_over() {
            return;
        }
        let at = self.place(position.puck);
        let side = if at.y < LEVEL + LEVEL_SIZE {
            LEVEL
        } else {
            -LEVEL
        };
        let text = Form::text(at.moved(0.0, side), LEVEL_SIZE, name);
        let bounds = text.bounds();
        let width = f64::from(self.game.field().width());
        let aside = (-bounds.low.x).max(0.0) - (bounds.high.x - width).max(0.0);
        let text = Form::text(at.moved(aside, side), LEVEL_SIZE, name);
        self.page.put(Role::Note, text);
    }

    fn put_moves(&mut self) {
        for mv in legal(self.game, self.request) {
            let at = self.place(self.request.position.puck + mv.step());
            let (disc, letter) = (
                Form::circle(at, TARGET),
                Form::text(at, 0.66, mv.to_string()),
            );
            if is_ruled_out(self.request, mv) {
                self.page.put(Role::RuledOut, disc.clone());
            } else {
                self.page.put(Role::Target, disc.clone());
                self.page.put(Role::Target, letter);
            }
            self.page.spot(mv.to_string(), label(mv), disc);
        }
    }

    fn put_puck(&mut self) {
        let puck = self.request.position.puck;
        let at = self.place(puck);
        self.page.put(Role::Puck, Form::circle(at, PUCK));
        if self.request.outcome.is_some() {
            self.page.put(Role::Decisive, Form::circle(at, 2.0 * PUCK));
        }
        let (width, height) = (self.game.field().width(), self.game.field().height());
        let corner = |aside: i32| {
            let corner = plane::GridPoint::new(
                (puck.x + aside).clamp(0, width),
                (puck.y - aside).clamp(0, height),
            );
            self.place(corner)
        };
        let focus = Rectangle::around([corner(-FOCUS), corner(FOCUS)]);
        self.page.focus(focus);
    }

    fn place(&self, point: plane::GridPoint) -> Point {
        let y = self.game.field().height() - point.y;
        Point::new(point.x.into(), y.into())
    }
}

/// Lines at multiples of `step` in both directions, without the boundary.
fn grid(width: i32, height: i32, step: i32) -> Vec<Vec<Point>> {
    let (right, low) = (f64::from(width), f64::from(height));
    let inner = move |end: i32| (1..end).filter(move |i| i % step == 0).map(f64::from);
    let down = inner(width).map(|x| vec![Point::new(x, 0.0), Point::new(x, low)]);
    let across = inner(height).map(|y| vec![Point::new(0.0, y), Point::new(right, y)]);
    down.chain(across).collect()
}

/// The spoken form of a move: `R, 2 up`.
fn label(mv: Move) -> String {
    let step = mv.step();
    let ways = [
        (step.x, "right"),
        (-step.x, "left"),
        (step.y, "up"),
        (-step.y, "down"),
    ];
    let ways: Vec<String> = ways
        .iter()
        .filter(|(length, _)| *length > 0)
        .map(|(length, way)| format!("{length} {way}"))
        .collect();
    format!("{mv}, {}", ways.join(", "))
}
