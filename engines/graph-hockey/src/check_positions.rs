//! Positions that test an engine's rules, one by one.

use kit::CheckPosition;
use kit::Side::{P1, P2};

/// A position on a field small enough for a puck to be boxed in.
const fn narrow(rule: &'static str, position: &'static str) -> CheckPosition {
    CheckPosition::new(rule, position).with("Side=2 Gap=3")
}

/// A position on the smallest field.
const fn smallest(rule: &'static str, position: &'static str) -> CheckPosition {
    CheckPosition::new(rule, position).with("Side=1 Gap=1")
}

const BOUNDARY: &str = "A move ends inside the boundary, and not on it.";
const FIRST_LINE: &str = "The initial segment counts as a line.";
const CROSSING: &str = "A move neither crosses a line nor touches one on its way.";
const ALONG: &str = "A move does not run along a line.";
const LANDING: &str = "A move may end on a line, and the next one may leave it on either side.";
const OUTLINE: &str = "A move may cross a goal's outline, and may not run along it.";
const GOAL: &str =
    "A puck inside a goal wins for the player of that goal: p1 plays for the bottom one.";
const OWN_GOAL: &str = "A puck in a goal wins for that goal's player, whoever moved.";
const NO_GOAL: &str = "A puck on a goal's outline, or a jump through a goal, does not count.";
const JUMP: &str = "If no ordinary move is legal, the puck may cross lines; neither player loses.";
const JUMP_ALONG: &str = "A free jump may not run along a line or an outline.";
const STRANGE: &str = "If no free jump is legal, every move inside the boundary is.";
const THIRD: &str =
    "The third occurrence of a position draws the game, counted from the start of the string.";
const STRING: &str = "A position string contains the whole game; the number of its letters determines the side to \
                      move.";
const MATES: &str = "A forced end is counted in plies.";

/// A game whose last moves go back and forth by strangeness, up to the second occurrence of a position; `I A I` follow.
const TO_AND_FRO: &str = concat!(
    "2x3 HVQHFRRIISFGTTUDFFEGKTRTUDFYTISFSFETEFYSISHUFWYJTQSFUQHRHAHFGTGFRYYTYUDSDWYSKWKATHRF",
    "UQJEJQQFKSIEJEKEISSFYKFFYTYUDSISFSITYTSEUFUUFYFSTQDEFIRFQHDUQHQJQUQRU"
);

pub(crate) static CHECK_POSITIONS: &[CheckPosition] = &[
    CheckPosition::new(BOUNDARY, "startpos")
        .allows("E R T Y U I K F G H J B L")
        .forbids("W Q A S D Z V"),
    smallest(BOUNDARY, "startpos").forbids("A V Z"),
    CheckPosition::new(FIRST_LINE, "4x8 IGA").forbids("V"),
    CheckPosition::new(CROSSING, "4x8 TA")
        .allows("H")
        .forbids("J"),
    CheckPosition::new(ALONG, "4x8 B").forbids("R V"),
    CheckPosition::new(LANDING, "4x8 IGA").allows("R"),
    CheckPosition::new(LANDING, "4x8 IGA")
        .after("R")
        .allows("E H"),
    CheckPosition::new(OUTLINE, "4x8 LLLIII")
        .allows("U")
        .forbids("I"),
    CheckPosition::new(GOAL, "4x8 LLLGLBBBBBBB")
        .after("B")
        .won_by(P1),
    CheckPosition::new(GOAL, "4x8 LLLIIRR")
        .after("J U")
        .won_by(P2),
    CheckPosition::new(OWN_GOAL, "4x8 LLLIIRRI")
        .after("I")
        .won_by(P2),
    CheckPosition::new(OWN_GOAL, "4x8 LLLIIGLBBBBBBB")
        .after("B")
        .won_by(P1),
    CheckPosition::new(NO_GOAL, "4x8 LLLIIRR").after("I"),
    CheckPosition::new(NO_GOAL, "4x8 LLLIIRRI").after("L"),
    narrow(JUMP, "2x3 RRFRRHRUA")
        .after("F")
        .allows("Y U I K H J L"),
    narrow(JUMP_ALONG, "2x3 RRFRRHRUAF").forbids("T Z W"),
    narrow(STRANGE, TO_AND_FRO).allows("A I"),
    narrow(THIRD, TO_AND_FRO).after("A I A"),
    narrow(THIRD, TO_AND_FRO).after("A I A I").drawn(),
    CheckPosition::new(STRING, "4x8 GHJB"),
    CheckPosition::new(STRING, "4x8 GHJBG")
        .after("G H")
        .with("Side=4 Gap=8"),
    smallest(MATES, "1x1 TKSJTUFDDUYBQF").mate(1),
    smallest(MATES, "1x1 FIR").mate(3),
    smallest(MATES, "1x1 FIRQ").mate(-2),
    smallest(MATES, "1x1 EKISGYBHFEDJQE").mate(5),
    smallest(MATES, "1x1 EKISGYBHFEDJQEG").mate(-4),
];
