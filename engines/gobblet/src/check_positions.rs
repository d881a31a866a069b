//! Positions that test an engine's rules, one by one.

use kit::CheckPosition;
use kit::Side::{P1, P2};

/// A position on 4x4.
const fn large(rule: &'static str, position: &'static str) -> CheckPosition {
    CheckPosition::new(rule, position).with("Size=4")
}

const LINE: &str = "A full row, column or diagonal of visible pieces wins, whatever their sizes.";
const COVERED: &str = "Covered pieces count for no line.";
const LIFTED: &str = "A line of the opponent that a lifted piece reveals wins for the opponent.";
const BOTH_LINES: &str = "The opponent's line comes before the mover's own.";
const SAVED: &str =
    "The result is read after the whole move: a revealed line may be covered again elsewhere.";
const LANDING: &str =
    "A piece lands on an empty square or covers smaller pieces, including own ones.";
const OWN_PIECES: &str = "A player may move only an own visible piece, to another square.";
const UNCOVERED: &str = "When a piece moves away, the pieces it covered are visible again.";
const RESERVE: &str = "The number of pieces of a size is limited, and includes the covered ones.";
const THIRD: &str = "The third occurrence of a position draws the game.";
const FIRST: &str = "A position string is the first occurrence of its position.";
const TURN: &str = "The same pieces with the other player to move are another position.";
const JUDGED: &str = "A position string is judged as if the player not to move had just moved.";
const FOUR: &str = "On 4x4 four in a line win, and three do not.";
const STACKS: &str = "On 4x4 a smaller piece is placed only after the larger one of its stack.";
const COVERING: &str =
    "On 4x4 a placement may cover only an opponent's piece in a line of exactly three of them.";
const HIDDEN: &str =
    "On 4x4 covered pieces do not count towards the line of three, nor towards a line of four.";
const APART: &str = "On 4x4 the three need not be adjacent, and the fourth square may be taken.";
const FREE: &str = "On 4x4 a move on the board may cover any smaller piece.";
const MATES: &str = "A forced end is counted in plies.";

pub(crate) static CHECK_POSITIONS: &[CheckPosition] = &[
    CheckPosition::new(LINE, "startpos")
        .after("3@a1 3@a3 1@b1 2@b3 2@c1")
        .won_by(P1),
    CheckPosition::new(LINE, "r1,.,y1/r2,.,y2/.,.,. r")
        .after("3@a1")
        .won_by(P1),
    CheckPosition::new(LINE, "y3,.,./.,y2,./r3,r1,. y")
        .after("1@c1")
        .won_by(P2),
    CheckPosition::new(LINE, ".,.,y3/.,.,./y1,r1,r2 y")
        .after("2@b2")
        .won_by(P2),
    CheckPosition::new(COVERED, "r1y2,r1,r2/.,.,./.,.,. y"),
    CheckPosition::new(COVERED, ".,y1,y2/.,.,./r1y3,r2,. r").after("1@c1"),
    CheckPosition::new(LIFTED, ".,.,r1/.,r2y3,./r1,.,. y")
        .after("b2-a3")
        .won_by(P1),
    CheckPosition::new(LIFTED, ".,.,r1/r1,r2y3,r2/r3,.,. y")
        .after("b2-c3")
        .won_by(P1),
    CheckPosition::new(BOTH_LINES, ".,.,./r1,r2y3,r1/y1,y2,. y")
        .after("b2-c1")
        .won_by(P1),
    CheckPosition::new(BOTH_LINES, "r1,r2,r3/.,.,./y1,y2,y3 r").won_by(P1),
    CheckPosition::new(SAVED, ".,.,./r1,r2y3,r1/y1,y2,. y").after("b2-c2"),
    CheckPosition::new(LANDING, ".,y2,./.,r1,./.,.,r2 r")
        .allows("3@b3 3@b2 2@b2 c1-b2 1@a1 3@c1")
        .forbids("2@b3 1@b3 1@b2 c1-b3 b2-c1 2@c1"),
    CheckPosition::new(OWN_PIECES, ".,.,./.,r1y2,./r3,.,. r")
        .allows("a1-b2")
        .forbids("b2-b3 a1-a1 c3-c2"),
    CheckPosition::new(UNCOVERED, ".,.,./.,r1y2,./r3,.,. y").after("b2-c3"),
    CheckPosition::new(UNCOVERED, ".,.,y3/.,r1r2r3,./.,.,. r").after("b2-a1 c3-c1 b2-c2"),
    CheckPosition::new(RESERVE, ".,.,y3/.,r1y2,./r1,.,y3 r")
        .allows("2@a3 3@a3")
        .forbids("1@a3"),
    CheckPosition::new(RESERVE, ".,.,y3/.,r1y2,./r1,.,y3 y")
        .allows("2@a3 1@a3")
        .forbids("3@a3"),
    CheckPosition::new(THIRD, "startpos")
        .after("3@a1 3@c3 a1-b1 c3-c2 b1-a1 c2-c3 a1-b1 c3-c2 b1-a1 c2-c3")
        .drawn(),
    CheckPosition::new(THIRD, "startpos").after("3@a1 3@c3 a1-b1 c3-c2 b1-a1 c2-c3"),
    CheckPosition::new(FIRST, ".,.,y3/.,.,./r3,.,. r")
        .after("a1-b1 c3-c2 b1-a1 c2-c3 a1-b1 c3-c2 b1-a1 c2-c3")
        .drawn(),
    CheckPosition::new(TURN, ".,.,y3/.,.,./r3,.,. r")
        .after("a1-b1 c3-c2 b1-c1 c2-c3 c1-a1 c3-c2 a1-b1 c2-c3 b1-a1 c3-c2 a1-b1 c2-c3"),
    CheckPosition::new(JUDGED, "r1,r2,r3/.,.,./.,.,. y").won_by(P1),
    CheckPosition::new(JUDGED, "r1,r2,r3/.,.,./y1,y2,y3 y").won_by(P2),
    large(FOUR, "startpos").after("4@a1 4@a2 4@b2 4@b1 4@c3 4@c4"),
    large(FOUR, "startpos")
        .after("4@a1 4@a2 4@b2 4@b1 4@c3 4@c4 3@d4")
        .won_by(P1),
    large(FOUR, "r4,.,.,./.,r4,.,./.,.,r4,./y4,y4,y4,. r")
        .after("3@d1")
        .won_by(P1),
    large(STACKS, "startpos")
        .allows("4@a1")
        .forbids("3@a1 2@a1 1@a1"),
    large(STACKS, "startpos")
        .after("4@a1 4@b1")
        .allows("4@c1 3@c1")
        .forbids("2@c1 1@c1"),
    large(STACKS, "startpos")
        .after("4@a1 4@b1 3@c1 4@d1 4@a2 4@b2 4@c2 3@d2")
        .allows("3@d4 2@d4")
        .forbids("4@d4 1@d4"),
    large(COVERING, ".,.,.,./r4,y3,.,./.,.,.,./y4,y3,y4,. r")
        .allows("4@b1")
        .forbids("4@b3 3@b1 4@a1"),
    large(COVERING, ".,.,.,./r4,r3,.,./.,.,.,./y4,y3,.,y4 r")
        .allows("4@b1")
        .forbids("4@b3"),
    large(COVERING, "y4,.,.,./.,y3,.,./.,.,y4,r4/.,.,.,r3 r")
        .allows("4@b3")
        .forbids("4@d1 4@a4"),
    large(HIDDEN, ".,.,.,y4/.,.,.,./.,.,.,./y3r4,y4,y3,. r")
        .allows("4@d1")
        .forbids("4@c1"),
    large(HIDDEN, ".,.,.,./.,.,.,./.,.,.,./y3r4,y4,y4,y3 r").allows("4@d1"),
    large(HIDDEN, ".,.,.,./.,.,.,./.,.,.,./r3y4,r4,r4,r4 y"),
    large(APART, ".,.,.,./.,y4,.,./.,.,.,./r4,r3,.,r4 y")
        .allows("4@b1 4@c1 3@c1 b3-b1 b3-c1")
        .forbids("4@b3 4@a1"),
    large(APART, ".,.,.,./.,.,.,./.,.,.,./y4,y3,y4,r4 r")
        .allows("4@b1")
        .forbids("4@a1 4@d1"),
    large(FREE, ".,.,.,./.,y4,.,./.,.,.,./r4,r3,y3,. y")
        .allows("b3-b1 b3-c1")
        .forbids("b3-a1 c1-b1 4@b1"),
    CheckPosition::new(MATES, ".,.,y2/r3,.,y2/r1,r1,. r").mate(1),
    CheckPosition::new(MATES, ".,.,./.,y1,r1/.,r1,y3 r").mate(3),
    CheckPosition::new(MATES, ".,.,./.,y1r3,r1/.,r1,y3 y").mate(-2),
    CheckPosition::new(MATES, "y3,.,y1y2/.,.,r3/.,r1,. r").mate(5),
    CheckPosition::new(MATES, "y3,.,y1y2r3/.,.,r3/.,r1,. y").mate(-4),
    large(MATES, "y3,r2,.,r4/.,y4,y4,r4/r3,.,r1,./.,.,r4,. r").mate(3),
    large(MATES, "y3,r2,.,r4/.,y4,y4,r4/r3,.,r1,r4/.,.,.,. y").mate(-2),
];
