//! A second, slow implementation of Graph Hockey: fractions over the whole path, and unions of lines recomputed for
//! each position.

use std::collections::BTreeMap;

type Vector = (i64, i64);

const LETTERS: &str = "WERTYQUAISKDFGHJVBZL";

/// The step of a move.
pub(crate) fn step(letter: char) -> Vector {
    match letter {
        'V' => (0, 8),
        'B' => (0, -8),
        'Z' => (-8, 0),
        'L' => (8, 0),
        'A' => (-2, 0),
        'I' => (2, 0),
        'Q' => (-2, 1),
        'U' => (2, 1),
        'S' => (-2, -1),
        'K' => (2, -1),
        _ => match "WERTY".find(letter) {
            Some(column) => (column as i64 - 2, 2),
            None => ("DFGHJ".find(letter).expect("a letter") as i64 - 2, -2),
        },
    }
}

/// A drawn line, from one point to another.
type Line = (Vector, Vector);

/// Maximal stretches of each infinite line (direction and distance from the origin), in order.
type Union = BTreeMap<(Vector, i64), Vec<(i64, i64)>>;

/// A game in progress.
pub(crate) struct Naive {
    pub(crate) side: i64,
    pub(crate) gap: i64,
    pub(crate) letters: String,
    /// The initial segment, then one line per move.
    lines: Vec<Line>,
    /// The sides of the goals.
    outlines: Vec<Line>,
}

/// The intersection of a move and a line.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Contact {
    Nothing,
    Point,
    Stretch,
}

impl Naive {
    pub(crate) fn new(side: i64, gap: i64) -> Naive {
        let above = 8 * gap + 8;
        let (left, right) = (8 * side, 8 * side + 8);
        let outline = |bottom: i64| {
            let top = bottom + 8;
            [
                ((left, bottom), (right, bottom)),
                ((left, top), (right, top)),
                ((left, bottom), (left, top)),
                ((right, bottom), (right, top)),
            ]
        };
        Naive {
            side,
            gap,
            letters: String::new(),
            lines: vec![((0, above), (2, above))],
            outlines: [0, above].into_iter().flat_map(outline).collect(),
        }
    }

    /// Location of the puck, relative to the lower left corner of the field.
    pub(crate) fn puck(&self) -> Vector {
        self.lines[self.letters.len()].1
    }

    pub(crate) fn p1_moves(&self) -> bool {
        self.letters.len().is_multiple_of(2)
    }

    pub(crate) fn text(&self) -> String {
        let letters = if self.letters.is_empty() {
            "-"
        } else {
            &self.letters
        };
        format!("{}x{} {letters}", self.side, self.gap)
    }

    /// `p1`, `p2`, `draw`, or empty while the game is not over.
    pub(crate) fn result(&self) -> &'static str {
        let (x, y) = self.puck();
        let between = 8 * self.side < x && x < 8 * self.side + 8;
        if between && y < 8 {
            "p1"
        } else if between && y > 8 * self.gap + 8 {
            "p2"
        } else if self.occurrences() >= 3 {
            "draw"
        } else {
            ""
        }
    }

    /// Number of occurrences of the puck's location with the same points drawn and the same side to move, including the
    /// current one.
    fn occurrences(&self) -> usize {
        let now = self.lines.len();
        let is_now = |&then: &usize| {
            self.lines[then - 1].1 == self.puck()
                && then % 2 == now % 2
                && union(&self.lines[..then]) == union(&self.lines)
        };
        (1..=now).filter(is_now).count()
    }

    /// The letters of the legal moves and the level in force, 1, 2 or 3; none and 0 if the game is over.
    pub(crate) fn moves(&self) -> (String, usize) {
        if !self.result().is_empty() {
            return (String::new(), 0);
        }
        (1..=3)
            .map(|level| (self.moves_at(level), level))
            .find(|(letters, _)| !letters.is_empty())
            .expect("somewhere to go")
    }

    /// The letters that a level allows, whether or not it is in force.
    pub(crate) fn moves_at(&self, level: usize) -> String {
        LETTERS
            .chars()
            .filter(|&letter| self.is_legal(letter, level))
            .collect()
    }

    fn is_legal(&self, letter: char, level: usize) -> bool {
        let (dx, dy) = step(letter);
        let from = self.puck();
        let (x, y) = (from.0 + dx, from.1 + dy);
        let (width, height) = (16 * self.side + 8, 8 * self.gap + 16);
        if x <= 0 || x >= width || y <= 0 || y >= height {
            return false;
        }
        let way = (from, (x, y));
        let meets = |lines: &[Line], least| lines.iter().any(|&line| contact(way, line) >= least);
        match level {
            1 => !meets(&self.lines, Contact::Point) && !meets(&self.outlines, Contact::Stretch),
            2 => !meets(&self.lines, Contact::Stretch) && !meets(&self.outlines, Contact::Stretch),
            _ => true,
        }
    }

    pub(crate) fn play(&mut self, letter: char) {
        let (dx, dy) = step(letter);
        let (x, y) = self.puck();
        self.lines.push(((x, y), (x + dx, y + dy)));
        self.letters.push(letter);
    }
}

/// Finds the point `way.0 + t (way.1 - way.0) = line.0 + s (line.1 - line.0)`, with `t` and `s` as fractions.
fn contact(way: Line, line: Line) -> Contact {
    let (d, e) = (minus(way.1, way.0), minus(line.1, line.0));
    let apart = minus(line.0, way.0);
    let divisor = det(d, e);
    if divisor != 0 {
        let t = det(apart, e) * divisor.signum();
        let s = det(apart, d) * divisor.signum();
        let one = divisor.abs();
        return match 0 < t && t < one && 0 <= s && s <= one {
            true => Contact::Point,
            false => Contact::Nothing,
        };
    }
    if det(apart, d) != 0 {
        return Contact::Nothing;
    }
    let along = |(x, y): Vector| x * d.0 + y * d.1;
    let (near, far) = (along(apart), along(minus(line.1, way.0)));
    match near.min(far) < along(d) && near.max(far) > 0 {
        true => Contact::Stretch,
        false => Contact::Nothing,
    }
}

/// The points of all lines together: two unions are equal if and only if they contain the same points.
fn union(lines: &[Line]) -> Union {
    let mut union = Union::new();
    for &(from, to) in lines {
        let (from, to) = (from.min(to), from.max(to));
        let (dx, dy) = minus(to, from);
        let shortest = (1..=dx.abs().max(dy.abs()))
            .rev()
            .find(|n| dx % n == 0 && dy % n == 0)
            .expect("one divides all");
        let direction = (dx / shortest, dy / shortest);
        let along = |(x, y): Vector| x * direction.0 + y * direction.1;
        let stretches = union.entry((direction, det(direction, from))).or_default();
        stretches.push((along(from), along(to)));
    }
    for stretches in union.values_mut() {
        stretches.sort_unstable();
        stretches.dedup_by(|next, last| {
            let joins = next.0 <= last.1;
            if joins {
                last.1 = last.1.max(next.1);
            }
            joins
        });
    }
    union
}

fn minus(a: Vector, b: Vector) -> Vector {
    (a.0 - b.0, a.1 - b.1)
}

fn det(a: Vector, b: Vector) -> i64 {
    a.0 * b.1 - a.1 * b.0
}
