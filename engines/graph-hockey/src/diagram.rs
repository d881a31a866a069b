//! The field for people, in eighths of an inch, with (0, 0) at the upper left corner. Only the destinations of legal moves
//! are clickable. The field is never rotated, because a letter means a direction on the page.
//!
//! As text, in Braille dots or ASCII characters, a field of `Side` and `Gap` takes `16 * Side + 9` columns and `4 * Gap + 9`
//! lines: 73 by 41 for the default. Drawn larger, each point of the field has a character of its own.

use draw::{Board, DiagramColour, Form, Input, Point, Rectangle, Role};
use kit::{DrawRequest, Game, Outcome, Side};

use crate::moves::{Move, Moves};
use crate::plane::GridPoint;
use crate::position::{GraphHockey, Level, Position};

/// The style that uses ASCII characters.
pub(crate) const ASCII: &str = "ascii";
/// The style that writes the letter of each legal move at its end.
pub(crate) const LETTERS: &str = "letters";
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
/// Places of the name of the level relative to the puck, beyond the ends of the near moves, the best first; and its size.
const LEVEL_PLACES: [(f64, f64); 10] = [
    (0.0, -3.8),
    (0.0, 3.8),
    (7.0, 0.0),
    (-7.0, 0.0),
    (6.0, -3.8),
    (-6.0, -3.8),
    (6.0, 3.8),
    (-6.0, 3.8),
    (0.0, -5.5),
    (0.0, 5.5),
];
const LEVEL_SIZE: f64 = 1.3;
/// The positions of the letters around the puck.
const KEY: [&str; 7] = [
    "          V",
    "        WERTY",
    "        Q   U",
    "  Z     A * I     L",
    "        S   K",
    "        DFGHJ",
    "          B",
];

/// The goals, the path by player, the puck, and the destinations of legal moves.
pub(crate) fn board(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> Board {
    let caption = caption(game, request);
    let mut page = request.board(game, caption, |mv| Input::spot(mv.to_string()));
    page.text.scale = Some([1.0, 0.5]);
    page.text.close = Some([2.0, 1.0]);
    page.text.has_map = true;
    page.text.is_ascii = request.view.style == ASCII;
    page.text.has_letters = request.view.style == LETTERS;
    let legal: Vec<Move> = legal(game, request).collect();
    if request.outcome.is_none() {
        let line = |line: &&str| {
            line.chars()
                .map(|sign| key_sign(request, &legal, sign))
                .collect()
        };
        page.text.key = KEY.iter().map(line).collect();
    }
    page.text.notes = notes(game, request, &legal);
    let mut picture = FieldPicture {
        game,
        request,
        page,
    };
    picture.put_field();
    picture.put_path();
    picture.put_jumps();
    picture.put_moves(&legal);
    picture.put_puck();
    picture.put_level();
    picture.page.names = Side::BOTH.map(|side| name(side).to_owned());
    picture.page
}

/// The name of a side in a picture: the place of the goal that is its own to reach.
fn name(side: Side) -> &'static str {
    match side {
        Side::P1 => "bottom",
        Side::P2 => "top",
    }
}

/// A character of the key, with excluded moves in lower case and illegal moves as dots.
fn key_sign(request: &DrawRequest<GraphHockey>, legal: &[Move], sign: char) -> char {
    match Move::from_letter(sign) {
        Some(mv) if !legal.contains(&mv) => '.',
        Some(mv) if is_ruled_out(request, mv) => sign.to_ascii_lowercase(),
        _ => sign,
    }
}

/// As text: the side to move, the level in force and the last move, or the result of a finished game.
fn notes(game: &GraphHockey, request: &DrawRequest<GraphHockey>, legal: &[Move]) -> Vec<String> {
    let position = request.position;
    let number = position.path.len();
    let last = position.path.last();
    let last = last.map(|mv| format!("last move: {mv} (number {number})"));
    if let Some(result) = explain(game, position, request.outcome) {
        return [result].into_iter().chain(last).collect();
    }
    let key = match legal.iter().any(|&mv| is_ruled_out(request, mv)) {
        true => "key: small letters are ruled out, dots not legal",
        false => "key: dots are not legal",
    };
    let notes = [turn(game, position), level(game, position)].map(str::to_owned);
    notes
        .into_iter()
        .chain(last)
        .chain([key.to_owned()])
        .collect()
}

struct FieldPicture<'a> {
    game: &'a GraphHockey,
    request: &'a DrawRequest<'a, GraphHockey>,
    page: Board,
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
            Form::text(middle, 1.8, name(side)),
        );
        let is_turn = side == self.game.side(self.request.position) && !self.request.is_over();
        let glyph = match is_turn {
            true => format!(">{side}<"),
            false => format!(" {side} "),
        };
        let colour = DiagramColour::of(side);
        self.page.put_of(colour, Role::Goal, goal);
        self.page.put_of(colour, Role::Goal, name).glyph(glyph);
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
            let line = Form::line(last.iter().copied(), LAST_TRAIL);
            let line = self
                .page
                .put_of(DiagramColour::of(side), Role::LastTrail, line);
            let back = self
                .request
                .position
                .path
                .last()
                .map_or(0, |mv| -aside(*mv));
            line.glyph("o").aside(back, 0);
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
    fn put_jump(&mut self, puck: GridPoint, level: Level) {
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

    /// Writes the level near the puck, where it covers no line if possible. The ordinary level is not written.
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
        let lines = self.game.lines(position);
        let lines: Vec<Rectangle> = lines
            .map(|line| Rectangle::around([line.from, line.to].map(|end| self.place(end))))
            .collect();
        let (width, height) = (self.game.field().width(), self.game.field().height());
        let (width, height) = (f64::from(width), f64::from(height));
        let text = |&(x, y): &(f64, f64)| Form::text(at.moved(x, y), LEVEL_SIZE, name);
        let is_inside = |text: &Form| {
            let Rectangle { low, high } = text.bounds();
            low.x >= 0.0 && low.y >= 0.0 && high.x <= width && high.y <= height
        };
        let is_free = |text: &Form| {
            let bounds = text.bounds();
            let meets = |line: &Rectangle| {
                line.low.x <= bounds.high.x
                    && bounds.low.x <= line.high.x
                    && line.low.y <= bounds.high.y
                    && bounds.low.y <= line.high.y
            };
            !lines.iter().any(meets)
        };
        let places = || LEVEL_PLACES.iter().map(text).filter(is_inside);
        let free = places().find(is_free).or_else(|| places().next());
        if let Some(text) = free {
            self.page.put(Role::Note, text);
        }
    }

    fn put_moves(&mut self, legal: &[Move]) {
        for &mv in legal {
            let at = self.place(self.request.position.puck + mv.step());
            let disc = Form::circle(at, TARGET);
            if is_ruled_out(self.request, mv) {
                self.page
                    .put(Role::RuledOut, disc.clone())
                    .aside(aside(mv), 0);
            } else {
                let letter = Form::text(at, 0.66, mv.to_string());
                self.page
                    .put(Role::Target, disc.clone())
                    .aside(aside(mv), 0);
                self.page
                    .put(Role::Target, letter)
                    .glyph(mv.to_string())
                    .aside(aside(mv), 0);
            }
            self.page.spot(mv.to_string(), label(mv), disc);
        }
    }

    fn put_puck(&mut self) {
        let puck = self.request.position.puck;
        let at = self.place(puck);
        self.page.put(Role::Puck, Form::circle(at, PUCK)).glyph("*");
        if self.request.outcome.is_some() {
            self.page.put(Role::Decisive, Form::circle(at, 2.0 * PUCK));
        }
        let (width, height) = (self.game.field().width(), self.game.field().height());
        let corner = |aside: i32| {
            let corner = GridPoint::new(
                (puck.x + aside).clamp(0, width),
                (puck.y - aside).clamp(0, height),
            );
            self.place(corner)
        };
        let focus = Rectangle::around([corner(-FOCUS), corner(FOCUS)]);
        self.page.focus = Some(focus);
    }

    fn place(&self, point: GridPoint) -> Point {
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

/// Columns by which the letter of a move is shifted outwards. A line of text is two units high, so that those one unit up or
/// down would share their places with others.
fn aside(mv: Move) -> i32 {
    match mv.step().y.abs() {
        1 => mv.step().x.signum(),
        _ => 0,
    }
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

/// The side to move, with its goal.
fn turn(game: &GraphHockey, position: &Position) -> &'static str {
    match game.side(position) {
        Side::P1 => "p1 to move, towards the bottom goal",
        Side::P2 => "p2 to move, towards the top goal",
    }
}

/// The level in force, in words.
fn level(game: &GraphHockey, position: &Position) -> &'static str {
    match game.level(position).0 {
        Level::Ordinary => "no line may be touched or crossed",
        Level::FreeJump => "free jump: lines may be crossed",
        Level::Strangeness => "strangeness: any move inside the boundary",
    }
}

/// The line below the picture, with the sides named as in it.
fn caption(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> String {
    let position = request.position;
    let turn = format!("{} to move", name(game.side(position)));
    match (explain(game, position, request.outcome), request.outcome) {
        (Some(text), Some(Outcome::Win(side))) => text.replacen(&side.to_string(), name(side), 1),
        (Some(text), _) => text,
        (None, _) => match game.level(position).0 {
            Level::Ordinary => turn,
            _ => format!("{turn}; {}", level(game, position)),
        },
    }
}

/// The result with its reason; `None` for an unfinished game.
pub(crate) fn explain(_: &GraphHockey, _: &Position, outcome: Option<Outcome>) -> Option<String> {
    let text = match outcome? {
        Outcome::Win(Side::P1) => "p1 wins: the puck is in the bottom goal",
        Outcome::Win(Side::P2) => "p2 wins: the puck is in the top goal",
        Outcome::Draw => "draw: third occurrence of this position",
    };
    Some(text.to_owned())
}

/// The legal moves; none if the game is over.
fn legal(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> Moves {
    if request.is_over() {
        Moves::default()
    } else {
        game.level(request.position).1
    }
}

/// `true` if the person has excluded a move.
fn is_ruled_out(request: &DrawRequest<GraphHockey>, mv: Move) -> bool {
    let is_it = |code: &String| code.eq_ignore_ascii_case(&mv.to_string());
    request.view.ruled_out.iter().any(is_it)
}
