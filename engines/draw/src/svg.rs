//! Diagrams as SVG: one self-contained `<svg>` element on one line, in colours for the viewer's light or dark pages.
//!
//! Sides can be distinguished without colours: colour 1 is dark and plain, colour 2 is light with a rim; lines end in
//! dots for colour 1 and in squares for colour 2; and the games also put signs on their pieces. If a diagram has a focus
//! much smaller than the board, an enlarged copy of it is drawn on the right.

use std::collections::BTreeMap;

use crate::Board;
use crate::palette::{Ink, ink, tone};
use crate::shape::{DiagramColour, Form, Point, Rectangle, Role, Shape};

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
/// A focus is enlarged if its width and height are below this share of the board's.
const SMALL_FOCUS: f64 = 0.5;
/// Width of the enlarged copy, as a share of the board's.
const LENS: f64 = 0.62;
/// Thickness of a border, as a share of the picture's longer side.
const HAIRLINE: f64 = 0.0022;
/// Thickness of a disc's border, as a share of its radius.
const RIM: f64 = 0.09;
/// Size of the end of a player's line, relative to the line's width.
const CAP: f64 = 2.4;

/// Writes a diagram as SVG, with its caption below.
pub fn write(diagram: &Board) -> String {
    let lens = lens(diagram);
    // The margin on the right of the enlarged copy is that on its left.
    let width = lens.map_or(diagram.width, |[_, at]| {
        at.high.x + at.low.x - diagram.width
    });
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
    let [light, dark] = [0, 1].map(|i| rules(diagram, i));
    let page = picture.rectangle("page", page, "");
    let board = picture.board(lens);
    let at = Point::new(width / 2.0, diagram.height + 0.6 * font);
    let text = picture.text("caption", at, font, &diagram.caption);
    format!(
        "{START} role=\"img\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"system-ui, sans-serif\" text-anchor=\"middle\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"><title>{caption}</title><style>{light}@media(prefers-color-scheme:dark){{{dark}}}</style>{page}{board}{text}</svg>"
    )
}

/// The focus and the place of its enlarged copy; `None` if it is not small.
fn lens(diagram: &Board) -> Option<[Rectangle; 2]> {
    let focus = diagram.focus?;
    let (width, height) = (focus.high.x - focus.low.x, focus.high.y - focus.low.y);
    if width > SMALL_FOCUS * diagram.width || height > SMALL_FOCUS * diagram.height {
        return None;
    }
    let margin = 0.03 * diagram.width;
    let scale = (LENS * diagram.width / width).min((diagram.height - 2.0 * margin) / height);
    let (width, height) = (scale * width, scale * height);
    let highest = diagram.height - margin - height;
    let y = (focus.centre().y - height / 2.0).clamp(margin, highest.max(margin));
    let low = Point::new(diagram.width + margin, y);
    Some([focus, Rectangle::around([low, low.moved(width, height)])])
}

struct SvgPicture<'a> {
    diagram: &'a Board,
    /// Pixels per board unit.
    scale: f64,
    /// Thickness of borders in board units.
    hairline: f64,
}

impl SvgPicture<'_> {
    fn board(&self, lens: Option<[Rectangle; 2]>) -> String {
        let shapes = self.diagram.shapes.iter();
        let shapes: String = shapes.map(|shape| self.shape(shape)).collect();
        let Some([focus, at]) = lens else {
            return shapes;
        };
        let width = self.number(2.0 * self.hairline);
        let frame = format!(" fill=\"none\" stroke-width=\"{width}\"");
        let [around, enlarged] = [focus, at].map(|area| self.rectangle("lens", area, &frame));
        let (view, [x, y, w, h]) = (self.sides(focus).join(" "), self.sides(at));
        format!(
            "<g id=\"board\" class=\"linesman\">{shapes}</g>{around}\
             <svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{view}\">\
             <use href=\"#board\"/></svg>{enlarged}",
        )
    }

    fn shape(&self, shape: &Shape) -> String {
        let (class, ink) = (class(shape), ink(shape, self.diagram));
        let element = |tag: &str, geometry: String, width: f64, more: &str| {
            let width = self.number(width);
            format!("<{tag} class=\"{class}\" {geometry} stroke-width=\"{width}\"{more}/>")
        };
        match &shape.form {
            Form::Circle { centre, radius } => {
                let disc = |radius: f64, width: f64, more: &str| {
                    let [x, y, r] = [centre.x, centre.y, radius].map(|length| self.number(length));
                    let geometry = format!("cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
                    element("circle", geometry, width, more)
                };
                let width = RIM * ink.thickness * radius;
                // Half of a border's width is outside its circle, so the radius is reduced to keep the disc's size.
                let mut svg = disc(radius - width / 2.0, width, &self.dashes(&ink, width));
                if shape.role == Role::Piece && shape.colour == Some(DiagramColour::Two) {
                    svg += &disc(0.8 * radius, width / 2.0, "");
                }
                svg
            }
            Form::Polygon { points } => {
                let points = format!("points=\"{}\"", self.pairs(points).join(" "));
                element("polygon", points, ink.thickness * self.hairline, "")
            }
            Form::Path { lines, width } => {
                let path = |part: &dyn Fn(&Vec<Point>) -> String, width, more: &str| {
                    let d: String = lines.iter().map(part).collect();
                    element("path", format!("d=\"{d}\""), width, more)
                };
                let line = |line: &Vec<Point>| format!("M{}", self.pairs(line).join("L"));
                let mut svg = path(&line, *width, &self.dashes(&ink, *width));
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
            Form::Text { at, size, text } => self.text(&class, *at, *size, text),
        }
    }

    fn rectangle(&self, class: &str, area: Rectangle, more: &str) -> String {
        let [x, y, w, h] = self.sides(area);
        format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{more}/>")
    }

    fn text(&self, class: &str, at: Point, size: f64, text: &str) -> String {
        /// Distance from the middle of a line of text down to its baseline, as a share of the font size.
        const BASELINE: f64 = 0.35;
        let [x, y, size] = [at.x, at.y + BASELINE * size, size].map(|length| self.number(length));
        let text = escape(text);
        format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>")
    }

    /// The dash pattern, such as that of warning rings; empty for other shapes.
    fn dashes(&self, ink: &Ink, width: f64) -> String {
        let [dash, gap] = [1.8, 1.9].map(|share| self.number(share * width));
        match ink.is_dashed {
            true => format!(" stroke-dasharray=\"{dash} {gap}\""),
            false => String::new(),
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

/// The CSS rules of the diagram's shapes, for light pages with `i` = 0, for dark ones with `i` = 1.
fn rules(diagram: &Board, i: usize) -> String {
    let rule = |shape: &Shape| {
        let [fill, stroke, text] = ink(shape, diagram).tones.map(|tone| tone[i]);
        let (tag, fill, stroke) = match shape.form {
            Form::Text { .. } => ("text", text, "none"),
            Form::Path { .. } => ("path", "none", stroke),
            _ => ("", fill, stroke),
        };
        let class = class(shape).replace(' ', ".");
        let selector = format!("{tag}.{class}");
        (selector, format!("fill:{fill};stroke:{stroke}"))
    };
    let rules: BTreeMap<String, String> = diagram.shapes.iter().map(rule).collect();
    let rule = |(selector, rule)| format!(".linesman {selector}{{{rule}}}");
    let rules: String = rules.into_iter().map(rule).collect();
    let (page, caption) = (tone("page")[i], tone("caption")[i]);
    format!(
        ".linesman .page{{fill:{page}}}.linesman .caption{{fill:{caption}}}.linesman .lens{{stroke:{caption}}}{rules}"
    )
}

fn class(shape: &Shape) -> String {
    let of = |colour: DiagramColour| [" one", " two"][colour.index()];
    format!("{:?}{}", shape.role, shape.colour.map_or("", of)).to_lowercase()
}

/// Escapes a text for XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
