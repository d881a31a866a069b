//! Diagrams as SVG: one self-contained `<svg>` element on one line, in colours for the viewer's light or dark pages.
//!
//! Sides can be distinguished without colours: colour 1 is dark, colour 2 is light; lines end in dots for colour 1 and in
//! squares for colour 2; and the games also put signs on their pieces. If a diagram has a focus
//! much smaller than the board, an enlarged copy of it is drawn on the right.

use crate::Board;
use crate::shape::{Form, Point, Rectangle, Role, Shape};

/// The beginning of each picture.
const START: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"linesman\"";

/// `true` if a file with this beginning was written by [`write()`].
pub fn is_drawing(start: &[u8]) -> bool {
    start.starts_with(START.as_bytes())
}

/// Default length of the longer side in pixels.
const PIXELS: f64 = 480.0;
/// Font size of the caption, as a share of the picture's longer side.
const CAPTION_SIZE: f64 = 0.036;
/// Width of a letter as a share of the font size.
const LETTER: f64 = 0.52;
/// A focus is enlarged if its width is below this share of the board's.
const SMALL_FOCUS: f64 = 0.5;
/// Width of the enlarged copy and of the margins on its sides, as shares of the board's.
const LENS: f64 = 0.62;
const LENS_MARGIN: f64 = 0.03;
/// Thickness of a border, as a share of the picture's longer side.
const HAIRLINE: f64 = 0.0022;
/// Thickness of a disc's border, as a share of its radius.
const RIM: f64 = 0.09;
/// Size of the end of a player's line, relative to the line's width.
const CAP: f64 = 2.4;

/// Writes a diagram as SVG, with its caption below.
pub fn write(diagram: &Board) -> String {
    let is_small = |area: &Rectangle| area.high.x - area.low.x < SMALL_FOCUS * diagram.width;
    let focus = diagram.focus.filter(is_small);
    let lens = focus.map_or(0.0, |_| LENS + 2.0 * LENS_MARGIN);
    let width = (1.0 + lens) * diagram.width;
    let letters = diagram.caption.chars().count().max(1) as f64;
    let font = (CAPTION_SIZE * width.max(diagram.height)).min(0.95 * width / (LETTER * letters));
    let height = diagram.height + 1.7 * font;
    let picture = SvgPicture {
        diagram,
        scale: PIXELS / width.max(height),
        hairline: HAIRLINE * diagram.width.max(diagram.height),
    };
    let page = Rectangle::around([Point::default(), Point::new(width, height)]);
    let [w, h] = [width, height].map(|length| picture.number(length));
    let caption = escape(&diagram.caption);
    let style = include_str!("svg.css").replace('\n', "");
    let page = picture.rectangle("page", page);
    let shapes: String = diagram
        .shapes
        .iter()
        .map(|shape| picture.shape(shape))
        .collect();
    let board = match focus {
        Some(focus) => picture.with_lens(&shapes, focus),
        None => shapes,
    };
    let at = Point::new(width / 2.0, diagram.height + 0.6 * font);
    let text = picture.text("caption", at, font, &diagram.caption);
    format!(
        "{START} role=\"img\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"system-ui, sans-serif\" text-anchor=\"middle\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"><title>{caption}</title><style>{style}</style>{page}{board}{text}</svg>"
    )
}

struct SvgPicture<'a> {
    diagram: &'a Board,
    /// Pixels per board unit.
    scale: f64,
    /// Thickness of borders in board units.
    hairline: f64,
}

impl SvgPicture<'_> {
    /// The board with a frame around its focus, and an enlarged copy of this part on the right.
    fn with_lens(&self, shapes: &str, focus: Rectangle) -> String {
        let lengths = [1.0 + LENS_MARGIN, LENS].map(|share| share * self.diagram.width);
        let [x, side] = lengths.map(|length| self.number(length));
        let (frame, view) = (self.rectangle("lens", focus), self.sides(focus).join(" "));
        format!(
            "<g id=\"board\" class=\"linesman\">{shapes}{frame}</g>\
             <svg x=\"{x}\" width=\"{side}\" height=\"{side}\" viewBox=\"{view}\"><use href=\"#board\"/></svg>"
        )
    }

    fn shape(&self, shape: &Shape) -> String {
        let (class, thickness) = (self.class(shape), thickness(shape.role));
        let element = |tag: &str, geometry: String, width: f64, more: &str| {
            let width = self.number(width);
            format!("<{tag} class=\"{class}\" {geometry} stroke-width=\"{width}\"{more}/>")
        };
        match &shape.form {
            Form::Circle { centre, radius } => {
                let width = RIM * thickness * radius;
                // Half of a border's width is outside its circle, so the radius is reduced to keep the disc's size.
                let lengths = [centre.x, centre.y, radius - width / 2.0];
                let [x, y, r] = lengths.map(|length| self.number(length));
                let geometry = format!("cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
                element("circle", geometry, width, &self.dashes(shape.role, width))
            }
            Form::Polygon { points } => {
                let points = format!("points=\"{}\"", self.pairs(points).join(" "));
                element("polygon", points, thickness * self.hairline, "")
            }
            Form::Path { lines, width } => {
                let path = |part: &dyn Fn(&Vec<Point>) -> String, width, more: &str| {
                    let d: String = lines.iter().map(part).collect();
                    element("path", format!("d=\"{d}\""), width, more)
                };
                let line = |line: &Vec<Point>| format!("M{}", self.pairs(line).join("L"));
                let mut svg = path(&line, *width, &self.dashes(shape.role, *width));
                // The ends of a player's lines: dots of colour 1, squares of colour 2.
                if let (Role::Trail | Role::LastTrail, Some(colour)) = (shape.role, shape.colour) {
                    let cap = ["round", "square"][colour.index()];
                    // A line of length 0 consists of its cap.
                    let end = |line: &Vec<Point>| {
                        format!("M{}h0", self.pairs(&line[line.len() - 1..])[0])
                    };
                    svg += &path(&end, CAP * width, &format!(" stroke-linecap=\"{cap}\""));
                }
                svg
            }
            Form::Text { at, size, text } => self.text(&format!("text-{class}"), *at, *size, text),
        }
    }

    /// The class of a shape, by which the style sheet has its colours: its role and its hue.
    fn class(&self, shape: &Shape) -> String {
        let hue = shape.colour.map_or("", |colour| self.diagram.hue(colour));
        format!("{:?} {hue}", shape.role).trim_end().to_lowercase()
    }

    fn rectangle(&self, class: &str, area: Rectangle) -> String {
        let [x, y, w, h] = self.sides(area);
        format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>")
    }

    fn text(&self, class: &str, at: Point, size: f64, text: &str) -> String {
        /// Distance from the middle of a line of text down to its baseline, as a share of the font size.
        const BASELINE: f64 = 0.35;
        let [x, y, size] = [at.x, at.y + BASELINE * size, size].map(|length| self.number(length));
        let text = escape(text);
        format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>")
    }

    /// The dash pattern of a warning, for other shapes none.
    fn dashes(&self, role: Role, width: f64) -> String {
        let [dash, gap] = [1.8, 1.9].map(|share| self.number(share * width));
        match role {
            Role::Danger | Role::Threat | Role::RuledOut | Role::Covered => {
                format!(" stroke-dasharray=\"{dash} {gap}\"")
            }
            _ => String::new(),
        }
    }

    fn pairs(&self, points: &[Point]) -> Vec<String> {
        let pair = |point: &Point| format!("{},{}", self.number(point.x), self.number(point.y));
        points.iter().map(pair).collect()
    }

    /// The upper left corner, the width and the height.
    fn sides(&self, Rectangle { low, high }: Rectangle) -> [String; 4] {
        [low.x, low.y, high.x - low.x, high.y - low.y].map(|length| self.number(length))
    }

    /// A length in pixels, rounded to hundredths, without trailing zeros.
    fn number(&self, length: f64) -> String {
        let rounded = (length * self.scale * 100.0).round() / 100.0;
        // Converts -0 to 0.
        (rounded + 0.0).to_string()
    }
}

/// Thickness of a shape's border, relative to the usual one.
fn thickness(role: Role) -> f64 {
    match role {
        Role::Sign | Role::GhostSign => 4.5,
        Role::Goal | Role::Decisive => 2.0,
        Role::From | Role::To | Role::Danger => 1.5,
        _ => 1.0,
    }
}

/// Escapes a text for XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
