//! The colours of the SVG writer by role, for light and dark pages.

use crate::shape::{DiagramColour, Role};

/// A colour on light pages and its counterpart on dark ones.
type Tone = [&'static str; 2];

/// The colours of a shape; `none` leaves a part out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    /// Colour of an area and of a text.
    pub(crate) fill: Tone,
    /// Colour of an area's border and of a line.
    pub(crate) stroke: Tone,
}

/// The colours of one side.
#[derive(Debug, Clone, Copy)]
struct Hue {
    body: Tone,
    edge: Tone,
    /// Colour of the inside of a hollow body.
    inside: Tone,
    /// Colour of a sign on a body.
    sign: Tone,
    /// Colour of an area of this side without a piece.
    pale: Tone,
    /// Colour of a line on the ground.
    line: Tone,
}

const NONE: Tone = ["none", "none"];

/// Dark, so that its lightness alone distinguishes it from the others.
const RED: Hue = Hue {
    body: ["#b24a3a", "#b5503f"],
    edge: ["#84301f", "#e39a88"],
    inside: ["#963e31", "#984335"],
    sign: ["#fdf1ea", "#fff3ec"],
    pale: ["#f1d9cd", "#4c332f"],
    line: ["#b24a3a", "#e07a64"],
};
const BLUE: Hue = Hue {
    body: ["#a9cdd6", "#9cc7d2"],
    edge: ["#3f7582", "#dcf0f4"],
    inside: ["#8eacb4", "#83a7b0"],
    sign: ["#1f4e5a", "#173f4a"],
    pale: ["#d5e5e6", "#2b4047"],
    line: ["#35798a", "#84c3d2"],
};
const YELLOW: Hue = Hue {
    body: ["#f0cb62", "#e8c158"],
    edge: ["#a67c1c", "#f9e6b0"],
    inside: ["#caab52", "#c3a24a"],
    sign: ["#5c4206", "#4b3606"],
    pale: ["#f5e8c0", "#463c22"],
    line: ["#a67c1c", "#e8c158"],
};
/// For shapes without a colour.
const NEUTRAL: Hue = Hue {
    body: ["#8d8371", "#a69d8c"],
    edge: ["#5d5546", "#d8d0c0"],
    inside: ["#776e5f", "#8b8476"],
    sign: ["#fbf7ee", "#23211d"],
    pale: ["#eae2d0", "#2b2e34"],
    line: ["#6b6354", "#b9b1a1"],
};

/// The page itself.
pub(crate) const PAGE: Tone = ["#fbf8f1", "#1b1d21"];
/// The text below the board.
pub(crate) const CAPTION: Tone = ["#4a4437", "#d9d3c6"];

const GROUND: Tone = ["#e7dcc3", "#2f3239"];
const CELL: Tone = ["#f6efdf", "#3a3e46"];
const CELL_EDGE: Tone = ["#d2c4a5", "#23262b"];
const GRID: Tone = ["#ddd2ba", "#41454e"];
const GHOST: Tone = ["#f2ebdc", "#25282d"];
const GHOST_EDGE: Tone = ["#e2d8c2", "#34383f"];
const LABEL: Tone = ["#8b7f66", "#9a9890"];
const HIGHLIGHT: Tone = ["#f8e3a1", "#5d5330"];
const HIGHLIGHT_EDGE: Tone = ["#cf9f2e", "#d9b25a"];
const DANGER: Tone = ["#d9772b", "#f0a055"];
const DECISIVE: Tone = ["#2f8a5b", "#6fd09c"];
const FIRST_EDGE: Tone = ["#8a6512", "#e8c158"];
const SECOND_EDGE: Tone = ["#6b4a9e", "#c9aef2"];
const THIRD_EDGE: Tone = ["#24754b", "#6fd09c"];
const INK: Tone = ["#3b362c", "#e8e2d5"];

/// The colours of a shape of this role. `names` are those of the sides; a side named after a colour is drawn in it.
pub(crate) fn paint(role: Role, colour: Option<DiagramColour>, names: &[String; 2]) -> Paint {
    let hue = hue(colour, names);
    let (fill, stroke) = match role {
        Role::Board => (GROUND, NONE),
        Role::Cell => (CELL, CELL_EDGE),
        Role::Grid => (NONE, GRID),
        Role::Goal => (hue.pale, hue.line),
        Role::Ghost if colour.is_none() => (GHOST, GHOST_EDGE),
        Role::Ghost => (hue.pale, hue.edge),
        Role::From => (NONE, HIGHLIGHT_EDGE),
        Role::To => (HIGHLIGHT, HIGHLIGHT_EDGE),
        Role::Piece => (hue.body, hue.edge),
        Role::Hollow => (hue.inside, hue.edge),
        Role::Sign => (NONE, hue.sign),
        Role::GhostSign => (NONE, hue.line),
        Role::Covered => (hue.pale, hue.edge),
        Role::Trail | Role::LastTrail | Role::Finished => (NONE, hue.line),
        Role::Puck => (INK, PAGE),
        Role::Target => (PAGE, INK),
        Role::RuledOut => (NONE, LABEL),
        Role::Danger | Role::Jump => (NONE, DANGER),
        Role::Threat => (NONE, hue.line),
        Role::FirstEdge => (FIRST_EDGE, FIRST_EDGE),
        Role::SecondEdge => (SECOND_EDGE, SECOND_EDGE),
        Role::ThirdEdge => (THIRD_EDGE, THIRD_EDGE),
        Role::Decisive => (NONE, DECISIVE),
        Role::Pending => (NONE, LABEL),
        Role::Counted => (LABEL, LABEL),
        Role::Label | Role::Note => (LABEL, NONE),
    };
    Paint { fill, stroke }
}

/// The colour of a text of this role.
pub(crate) fn ink(role: Role, colour: Option<DiagramColour>, names: &[String; 2]) -> Tone {
    match role {
        Role::Sign => hue(colour, names).sign,
        Role::Goal | Role::Covered | Role::Finished => hue(colour, names).line,
        Role::Target => INK,
        Role::Label | Role::Note if colour.is_some() => hue(colour, names).line,
        _ => LABEL,
    }
}

fn hue(colour: Option<DiagramColour>, names: &[String; 2]) -> Hue {
    let Some(colour) = colour else { return NEUTRAL };
    match (names[colour.index()].as_str(), colour) {
        ("yellow", _) => YELLOW,
        (_, DiagramColour::One) => RED,
        (_, DiagramColour::Two) => BLUE,
    }
}
