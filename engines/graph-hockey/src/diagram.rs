//! The field for people, in eighths of an inch, with (0, 0) at the upper left corner. Only the destinations of legal moves
//! are clickable. The field is never rotated, because a letter means a direction on the page.
//!
//! As text, in Braille dots or ASCII characters, a field of `Side` and `Gap` takes `16 * Side + 9` columns and `4 * Gap +
//! 9` lines: 73 by 41 for the default. On a screen it is twice as large: each point of the field has its character, so the
//! letter of a legal move is at its end. Otherwise these letters are drawn again below the field.

use draw::{Board, DiagramColour, Form, Input, Point, Rectangle, Role};
use kit::{DrawRequest, Game, Notation, Side};

use crate::moves::{Move, Moves};
use crate::plane::{GridPoint, Segment};
use crate::position::{GraphHockey, Level};

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
/// The distance from the puck to the name of the level, beyond the ends of the near moves, and that from the name's middle
/// to the boundary. And its size.
const LEVEL_PLACE: (f64, f64) = (3.8, 4.5);
const LEVEL_SIZE: f64 = 1.3;
/// The goals, the path by player, the puck, and the destinations of legal moves.
pub(crate) fn board(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> Board {
    let (level, mut legal) = game.level(request.position);
    if request.is_over() {
        legal = Moves::default();
    }
    let note = match level {
        Level::Ordinary => String::new(),
        _ => format!("; {}", level_name(level)),
    };
    let mut page = request.board(game, &note, |mv| Input::spot(mv.to_string()));
    // The picture names the sides by their goals.
    for side in Side::BOTH {
        page.names[side.index()] = name(side).to_owned();
        page.caption = page.caption.replacen(&side.to_string(), name(side), 1);
    }
    page.text.scale = Some([2.0, 1.0]);
    if request.view.room.is_none() {
        page.text.moves_scale = page.text.scale.replace([1.0, 0.5]);
    }
    page.text.notes = notes(game, request, level);
    let (width, height) = (game.field().width().into(), game.field().height().into());
    let area = Rectangle::around([Point::default(), Point::new(width, height)]);
    let mut picture = FieldPicture {
        game,
        request,
        area,
        page,
    };
    picture.put_field();
    picture.put_path();
    picture.put_levels();
    picture.put_moves(legal);
    picture.put_puck();
    if let Some((name, _)) = level_name(level).split_once(": ")
        && !request.is_over()
    {
        picture.put_level(name);
    }
    picture.page
}

/// The name of a side in a picture: the place of the goal that is its own to reach.
pub(crate) fn name(side: Side) -> &'static str {
    ["bottom", "top"][side.index()]
}

/// As text: the side to move, the level in force and the last move, or the result of a finished game.
fn notes(game: &GraphHockey, request: &DrawRequest<GraphHockey>, level: Level) -> Vec<String> {
    let (path, side) = (&request.position.path, game.side(request.position));
    let notes = match game.explain(request.position, request.outcome) {
        Some(result) => vec![result],
        None => vec![
            format!("{side} to move, towards the {} goal", name(side)),
            level_name(level).to_owned(),
        ],
    };
    let last = path.last();
    let last = last.map(|mv| format!("last move: {mv} (number {})", path.len()));
    notes.into_iter().chain(last).collect()
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
        let around = Form::rectangle(self.area.centre(), right + 3.0, low + 3.0);
        self.page.put(Role::Board, around);
        self.page
            .put(Role::Cell, Form::polygon(self.area.corners()));
        for (step, width) in [(1, 0.05), (INCH, 0.14)] {
            let inner = |end: f64| (step..end as i32).step_by(step as usize).map(f64::from);
            let down = inner(right).map(|x| vec![Point::new(x, 0.0), Point::new(x, low)]);
            let across = inner(low).map(|y| vec![Point::new(0.0, y), Point::new(right, y)]);
            let lines = down.chain(across).collect();
            self.page.put(Role::Grid, Form::Path { lines, width });
        }
        for side in Side::BOTH {
            self.put_goal(side);
        }
        let edge = self.area.corners().into_iter().cycle().take(5);
        self.page.put(Role::Trail, Form::line(edge, 0.4));
    }

    fn put_goal(&mut self, side: Side) {
        let (low, high) = self.game.field().goal(side);
        let middle = Rectangle::around([self.place(low), self.place(high)]).centre();
        let colour = DiagramColour::of(side);
        let area = Form::rectangle(middle, INCH.into(), INCH.into());
        self.page.put_of(colour, Role::Goal, area);
        let text = Form::text(middle, 1.8, name(side));
        self.page.put_of(colour, Role::Goal, text);
        // As text the name is on the boundary, where it hides no line.
        let boundary = [self.area.high.y, 0.0][side.index()];
        let is_turn = side == self.game.side(self.request.position) && !self.request.is_over();
        let [left, right] = if is_turn { ['>', '<'] } else { [' '; 2] };
        let (at, sign) = (
            Point::new(middle.x, boundary),
            format!("{left}{side}{right}"),
        );
        self.page.write(at, sign).colour = Some(colour);
    }

    /// Draws the initial segment, then each player's lines, with the last one on top.
    fn put_path(&mut self) {
        let lines = self.game.lines(self.request.position);
        let line = |line: Segment| vec![self.place(line.from), self.place(line.to)];
        let lines: Vec<Vec<Point>> = lines.map(line).collect();
        let (initial, drawn) = lines.split_at(1);
        let initial = Form::line(initial.concat(), TRAIL);
        self.page.put(Role::Trail, initial);
        for together in drawn.chunks(PLIES_TOGETHER) {
            for colour in &DiagramColour::BOTH[..together.len().min(2)] {
                let own = together.iter().skip(colour.index()).step_by(2);
                let (lines, width) = (own.cloned().collect(), TRAIL);
                self.page
                    .put_of(*colour, Role::Trail, Form::Path { lines, width });
            }
        }
        if let Some(line) = drawn.last() {
            let colour = DiagramColour::BOTH[(drawn.len() - 1) % 2];
            let last = Form::line(line.clone(), LAST_TRAIL);
            self.page.put_of(colour, Role::LastTrail, last).glyph("o");
        }
    }

    /// Marks the points at which no ordinary move was left, those of the game and the puck's: by a ring for a free jump, by
    /// a square on its corner for strangeness.
    fn put_levels(&mut self) {
        let (game, request) = (self.game, self.request);
        let mut position = game.start();
        let moves = request.position.path.iter().map(|&mv| Some(mv));
        // The puck's level counts as long as a move is to be made.
        for mv in moves.chain((!request.is_over()).then_some(None)) {
            let at = self.place(position.puck);
            let corners = (0..4).map(|quarter| at.towards(90 * quarter, JUMP));
            let mark = match game.level(&position).0 {
                Level::Ordinary => None,
                Level::FreeJump => Some(Form::circle(at, JUMP)),
                Level::Strangeness => Some(Form::polygon(corners)),
            };
            if let Some(mark) = mark {
                self.page.put(Role::Jump, mark);
            }
            if let Some(mv) = mv {
                game.play(&mut position, mv);
            }
        }
    }

    /// Writes the name of the level above or below the puck, where a page that shows a part of the field shows it too.
    fn put_level(&mut self, name: &str) {
        let Point { x, y } = self.place(self.request.position.puck);
        let (beyond, aside) = LEVEL_PLACE;
        let is_above = y > beyond + LEVEL_SIZE;
        let y = if is_above { y - beyond } else { y + beyond };
        let at = Point::new(x.clamp(aside, self.area.high.x - aside), y);
        self.page.put(Role::Note, Form::text(at, LEVEL_SIZE, name));
    }

    fn put_moves(&mut self, legal: Moves) {
        for mv in legal {
            let at = self.place(self.request.position.puck + mv.step());
            let (disc, letter) = (Form::circle(at, TARGET), mv.to_string());
            if is_ruled_out(self.request, mv) {
                let mark = self.page.put(Role::RuledOut, disc.clone());
                mark.glyph(letter.to_lowercase());
            } else {
                self.page.put(Role::Target, disc.clone()).glyph(&letter);
                self.page.put(Role::Target, Form::text(at, 0.66, &letter));
            }
            self.page.spot(letter, label(mv), disc);
        }
    }

    fn put_puck(&mut self) {
        let at = self.place(self.request.position.puck);
        self.page.put(Role::Puck, Form::circle(at, PUCK)).glyph("*");
        if self.request.outcome.is_some() {
            self.page.put(Role::Decisive, Form::circle(at, 2.0 * PUCK));
        }
        let Point { x: right, y: low } = self.area.high;
        let ends = [-FOCUS, FOCUS].map(|aside| at.moved(aside, aside));
        let ends = ends.map(|Point { x, y }| Point::new(x.clamp(0.0, right), y.clamp(0.0, low)));
        self.page.focus = Some(Rectangle::around(ends));
    }

    fn place(&self, point: GridPoint) -> Point {
        let y = self.game.field().height() - point.y;
        Point::new(point.x.into(), y.into())
    }
}

/// The spoken form of a move: `R, 2 up`.
fn label(mv: Move) -> String {
    let GridPoint { x, y } = mv.step();
    let ways = [(x, "right"), (-x, "left"), (y, "up"), (-y, "down")].into_iter();
    let ways = ways.filter(|(length, _)| *length > 0);
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
