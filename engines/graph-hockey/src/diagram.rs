//! The field for people, in eighths of an inch, with (0, 0) at the upper left corner. Only the destinations of legal moves
//! are clickable. The field is never rotated, because a letter means a direction on the page.
//!
//! As text, in Braille dots or ASCII characters, a field of `Side` and `Gap` takes `16 * Side + 9` columns and `4 * Gap +
//! 9` lines: 73 by 41 for the default. Drawn larger, each point of the field has a character of its own.

use draw::{Board, DiagramColour, Form, Input, Point, Rectangle, Role};
use kit::{DrawRequest, Game, Notation, Side};

use crate::moves::{Move, Moves};
use crate::plane::{GridPoint, Segment};
use crate::position::{GraphHockey, Level};

/// The style that uses ASCII characters.
pub(crate) const ASCII: &str = "ascii";
/// The style that writes the letter of each legal move at its end.
pub(crate) const LETTERS: &str = "letters";
/// Eighths per inch.
const INCH: i32 = 8;
/// Distance from the puck to the edge of the focus: slightly more than the longest move.
const FOCUS: f64 = 9.0;
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
    let (level, mut legal) = game.level(request.position);
    let note = match level {
        Level::Ordinary => String::new(),
        _ => format!("; {}", level_name(level)),
    };
    let mut page = request.board(game, &note, |mv| Input::spot(mv.to_string()));
    page.names = Side::BOTH.map(|side| name(side).to_owned());
    // The caption names the sides as the picture does.
    for side in Side::BOTH {
        page.caption = page.caption.replacen(&side.to_string(), name(side), 1);
    }
    page.text.scale = Some([1.0, 0.5]);
    page.text.close = Some([2.0, 1.0]);
    page.text.has_map = true;
    page.text.is_ascii = request.view.style == ASCII;
    if request.is_over() {
        legal = Moves::default();
    }
    if request.outcome.is_none() {
        let sign = |sign| key_sign(request, legal, sign);
        page.text.key = KEY.map(|line| line.chars().map(sign).collect()).into();
    }
    page.text.notes = notes(game, request, legal);
    let field = game.field();
    let mut picture = FieldPicture {
        game,
        request,
        area: Rectangle::around([
            Point::new(0.0, 0.0),
            Point::new(field.width().into(), field.height().into()),
        ]),
        page,
    };
    picture.put_field();
    picture.put_path();
    picture.put_levels();
    picture.put_moves(legal);
    picture.put_puck();
    if !request.is_over() {
        picture.put_level(game.level(request.position).0);
    }
    picture.page
}

/// The name of a side in a picture: the place of the goal that is its own to reach.
pub(crate) fn name(side: Side) -> &'static str {
    ["bottom", "top"][side.index()]
}

/// A character of the key, with excluded moves in lower case and illegal moves as dots.
fn key_sign(request: &DrawRequest<GraphHockey>, legal: Moves, sign: char) -> char {
    match Move::from_letter(sign) {
        Some(mv) if !legal.contains(mv) => '.',
        Some(mv) if is_ruled_out(request, mv) => sign.to_ascii_lowercase(),
        _ => sign,
    }
}

/// As text: the side to move, the level in force and the last move, or the result of a finished game.
fn notes(game: &GraphHockey, request: &DrawRequest<GraphHockey>, mut legal: Moves) -> Vec<String> {
    let (position, side) = (request.position, game.side(request.position));
    let last = position.path.last().zip(Some(position.path.len()));
    let last = last.map(|(mv, number)| format!("last move: {mv} (number {number})"));
    if let Some(result) = game.explain(position, request.outcome) {
        return [result].into_iter().chain(last).collect();
    }
    let turn = format!("{side} to move, towards the {} goal", name(side));
    let level = level_name(game.level(position).0).to_owned();
    let key = match legal.any(|mv| is_ruled_out(request, mv)) {
        true => "key: small letters are ruled out, dots not legal",
        false => "key: dots are not legal",
    };
    let notes = [turn, level].into_iter().chain(last);
    notes.chain([key.to_owned()]).collect()
}

struct FieldPicture<'a> {
    game: &'a GraphHockey,
    request: &'a DrawRequest<'a, GraphHockey>,
    /// The field within the boundary.
    area: Rectangle,
    page: Board,
}

impl FieldPicture<'_> {
    /// Draws graph paper with the inches marked, the goals and the boundary.
    fn put_field(&mut self) {
        let Point { x: right, y: low } = self.area.high;
        let (middle, field) = (self.area.centre(), Form::polygon(self.area.corners()));
        let around = Form::rectangle(middle, right + 3.0, low + 3.0);
        self.page.put(Role::Board, around);
        self.page.put(Role::Cell, field);
        for (step, width) in [(1, 0.05), (INCH, 0.14)] {
            let lines = self.grid(step);
            self.page.put(Role::Grid, Form::Path { lines, width });
        }
        for side in Side::BOTH {
            self.put_goal(side);
        }
        let edge = self.area.corners().into_iter().cycle().take(5);
        self.page.put(Role::Trail, Form::line(edge, 0.4));
    }

    /// Lines at multiples of `step` in both directions, without the boundary.
    fn grid(&self, step: i32) -> Vec<Vec<Point>> {
        let (field, Point { x: right, y: low }) = (self.game.field(), self.area.high);
        let inner = |end: i32| (step..end).step_by(step as usize).map(f64::from);
        let down = inner(field.width()).map(|x| vec![Point::new(x, 0.0), Point::new(x, low)]);
        let across = inner(field.height()).map(|y| vec![Point::new(0.0, y), Point::new(right, y)]);
        down.chain(across).collect()
    }

    fn put_goal(&mut self, side: Side) {
        let (low, high) = self.game.field().goal(side);
        let goal = Rectangle::around([self.place(low), self.place(high)]);
        let is_turn = side == self.game.side(self.request.position) && !self.request.is_over();
        let glyph = match is_turn {
            true => format!(">{side}<"),
            false => format!(" {side} "),
        };
        let colour = DiagramColour::of(side);
        let area = Form::rectangle(goal.centre(), INCH.into(), INCH.into());
        self.page.put_of(colour, Role::Goal, area).glyph(glyph);
        let name = Form::text(goal.centre(), 1.8, name(side));
        self.page.put_of(colour, Role::Goal, name);
    }

    /// Draws the initial segment, then each player's lines, with the last one on top.
    fn put_path(&mut self) {
        let lines = self.game.lines(self.request.position);
        let line = |line: Segment| vec![self.place(line.from), self.place(line.to)];
        let lines: Vec<Vec<Point>> = lines.map(line).collect();
        let (initial, drawn) = (&lines[0], &lines[1..]);
        let first = Form::line(initial.iter().copied(), TRAIL);
        self.page.put(Role::Trail, first);
        for together in drawn.chunks(PLIES_TOGETHER) {
            for (side, skip) in [(Side::P1, 0), (Side::P2, 1)] {
                let lines: Vec<_> = together.iter().skip(skip).step_by(2).cloned().collect();
                if !lines.is_empty() {
                    let form = Form::Path {
                        lines,
                        width: TRAIL,
                    };
                    self.page.put_of(DiagramColour::of(side), Role::Trail, form);
                }
            }
        }
        if let (Some(line), Some(&mv)) = (drawn.last(), self.request.position.path.last()) {
            let (colour, aside) = (DiagramColour::BOTH[(drawn.len() - 1) % 2], self.aside(mv));
            let line = Form::line(line.iter().copied(), LAST_TRAIL);
            let last = self.page.put_of(colour, Role::LastTrail, line);
            last.glyph("o").aside(-aside, 0);
        }
    }

    /// Marks the points at which no ordinary move was left, those of the game and the puck's: by a ring for a free jump, by
    /// a square on its corner for strangeness.
    fn put_levels(&mut self) {
        let game = self.game;
        let mut position = game.start();
        let mut levels = Vec::new();
        for &mv in &self.request.position.path {
            levels.push((position.puck, game.level(&position).0));
            game.play(&mut position, mv);
        }
        if !self.request.is_over() {
            levels.push((position.puck, game.level(&position).0));
        }
        for (puck, level) in levels {
            let at = self.place(puck);
            let corners = [(0.0, -JUMP), (JUMP, 0.0), (0.0, JUMP), (-JUMP, 0.0)];
            let form = match level {
                Level::Ordinary => continue,
                Level::FreeJump => Form::circle(at, JUMP),
                Level::Strangeness => Form::polygon(corners.map(|(x, y)| at.moved(x, y))),
            };
            self.page.put(Role::Jump, form);
        }
    }

    /// Writes the level near the puck, where a page that shows a part of the field shows it too, and where it covers no
    /// line if possible. The ordinary level is not written.
    fn put_level(&mut self, level: Level) {
        let Some((name, _)) = level_name(level).split_once(": ") else {
            return;
        };
        let at = self.place(self.request.position.puck);
        let lines = self.game.lines(self.request.position);
        let lines: Vec<Rectangle> = lines
            .map(|line| Rectangle::around([self.place(line.from), self.place(line.to)]))
            .collect();
        let text = |&(x, y): &(f64, f64)| Form::text(at.moved(x, y), LEVEL_SIZE, name);
        let is_inside = |text: &Form| self.area.union(text.bounds()) == self.area;
        let is_free = |text: &Form| !lines.iter().any(|line| line.meets(text.bounds()));
        let places = || LEVEL_PLACES.iter().map(text).filter(is_inside);
        if let Some(text) = places().find(is_free).or_else(|| places().next()) {
            self.page.put(Role::Note, text);
        }
    }

    fn put_moves(&mut self, legal: Moves) {
        for mv in legal {
            let at = self.place(self.request.position.puck + mv.step());
            let (disc, aside) = (Form::circle(at, TARGET), self.aside(mv));
            if is_ruled_out(self.request, mv) {
                self.page.put(Role::RuledOut, disc.clone()).aside(aside, 0);
            } else {
                let target = self.page.put(Role::Target, disc.clone()).aside(aside, 0);
                if self.request.view.style == LETTERS {
                    target.glyph(mv.to_string());
                }
                let letter = Form::text(at, 0.66, mv.to_string());
                self.page.put(Role::Target, letter);
            }
            self.page.spot(mv.to_string(), label(mv), disc);
        }
    }

    /// Columns by which the letter of a move is shifted outwards. A line of text is two units high, so that those one unit
    /// up or down would share their places with others.
    fn aside(&self, mv: Move) -> i32 {
        match mv.step().y.abs() {
            1 if self.request.view.style == LETTERS => mv.step().x.signum(),
            _ => 0,
        }
    }

    fn put_puck(&mut self) {
        let at = self.place(self.request.position.puck);
        self.page.put(Role::Puck, Form::circle(at, PUCK)).glyph("*");
        if self.request.outcome.is_some() {
            self.page.put(Role::Decisive, Form::circle(at, 2.0 * PUCK));
        }
        let Point { x: right, y: low } = self.area.high;
        let corner = |aside: f64| {
            let Point { x, y } = at.moved(aside, aside);
            Point::new(x.clamp(0.0, right), y.clamp(0.0, low))
        };
        self.page.focus = Some(Rectangle::around([corner(-FOCUS), corner(FOCUS)]));
    }

    fn place(&self, point: GridPoint) -> Point {
        let y = self.game.field().height() - point.y;
        Point::new(point.x.into(), y.into())
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
    let ways = ways.iter().filter(|(length, _)| *length > 0);
    let ways = ways.map(|(length, way)| format!(", {length} {way}"));
    format!("{mv}{}", ways.collect::<String>())
}

/// The level in force, in words.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::Ordinary => "no line may be touched or crossed",
        Level::FreeJump => "free jump: lines may be crossed",
        Level::Strangeness => "strangeness: any move inside the boundary",
    }
}

/// `true` if the person has excluded a move.
fn is_ruled_out(request: &DrawRequest<GraphHockey>, mv: Move) -> bool {
    let is_it = |code: &String| code.eq_ignore_ascii_case(&mv.to_string());
    request.view.ruled_out.iter().any(is_it)
}
