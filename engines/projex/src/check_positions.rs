//! Positions that test an engine's rules, one by one.

use kit::CheckPosition;
use kit::Side::{P1, P2};

/// A position on the board of size 5, without swap.
const fn five(rule: &'static str, position: &'static str) -> CheckPosition {
    CheckPosition::new(rule, position).with("Size=5 Swap=false")
}

/// A position on the smallest board.
const fn three(rule: &'static str, position: &'static str) -> CheckPosition {
    CheckPosition::new(rule, position).with("Size=3")
}

const CELLS: &str =
    "Letters name the diagonals from the upper left, numbers the rows from the top.";
const TAKEN: &str = "A stone is placed on an empty cell.";
const ACROSS: &str =
    "A row from edge to opposite edge wins if its ends are neighbours across the edge.";
const FAR: &str = "A border cell has exactly two neighbours across the edge.";
const INSIDE: &str = "A loop that does not cross the edge wins nothing.";
const EVEN: &str = "A loop that crosses the edge an even number of times wins nothing.";
const ODD: &str = "A loop that crosses the edge three times wins.";
const FULL: &str = "A full board has a winner.";
const SWAP: &str = "Swap is legal as the fourth move of the game, and only then.";
const SWAP_ONCE: &str =
    "In a position string swap is legal with three stones where player 1 owns x.";
const SWAPPED: &str = "After swap player 1 owns o and is to move.";
const COLOURS: &str = "After swap a loop wins for the new owner of its colour.";
const NO_SWAP: &str = "With Swap=false swap is never legal.";
const MATES: &str = "A forced end is counted in plies.";

pub(crate) static CHECK_POSITIONS: &[CheckPosition] = &[
    CheckPosition::new(CELLS, "startpos")
        .allows("G1 L1 F2 L2 A7 L7 A12 G12")
        .forbids("A1 F1 M1 M7 H12 A13"),
    five(CELLS, "startpos")
        .allows("E1 H1 A5 H5 A8 E8")
        .forbids("A1 D1 I1 I5 F8 A9"),
    five(TAKEN, "startpos").after("C5 D5").forbids("C5 D5 c5"),
    five(ACROSS, "3o/1o3/1o4/1o2o2/xxxx1xxx/1o5/6/3o1 x 1")
        .after("E5")
        .won_by(P1),
    CheckPosition::new(
        ACROSS,
        "6/o6/8/9/10/11/xxxxxxxxxxx1/oo9/10/3oooo2/8/3oooo x 1",
    )
    .after("L7")
    .won_by(P1),
    five(FAR, "4/5/6/xxxxxxx/3o4/1o1o2o/3o1o/3o1 x 1")
        .after("A5")
        .won_by(P1),
    five(FAR, "1o2/5/1oo2o/o5x/1xxxxxx1/7/4o1/o4 x 1")
        .after("A6")
        .won_by(P1),
    five(FAR, "2o1/5/1o2o1/xxxxxx1/8/4o2/6/2o1o x 1").after("H4"),
    five(FAR, "1oo1/5/6/xxxxxxx/5o2/1oo2o1/o5/5 x 1").after("A6"),
    five(INSIDE, "4/4o/2o3/2xx3/o3xo2/2xx3/1o4/5 x 1").after("C5"),
    five(EVEN, "4/5/5x/6x/8/x5o/2o3/4o x 1").after("G4"),
    five(EVEN, "xx2/5/x1o1o1/3oo2/5xx1/o3xox/1ooxox/o1x2 x 1").after("E8"),
    five(ODD, "x3/5/xx3o/2xo3/3x1oo1/1ooxo2/2oxo1/3xx x 1")
        .after("F7")
        .won_by(P1),
    three(FULL, "ox/o1o/oxxx/oxx o 1").after("C2").won_by(P2),
    five(
        FULL,
        "oxox/oxxxo/xxoxox/xoooxxo/oxoxoooo/o1oxxxo/xxoxxx/xoxoo o 1",
    )
    .after("B6")
    .won_by(P2),
    CheckPosition::new(SWAP, "startpos")
        .after("A7 B7")
        .forbids("swap"),
    CheckPosition::new(SWAP, "startpos")
        .after("A7 B7 C7")
        .allows("swap"),
    CheckPosition::new(SWAP, "startpos")
        .after("A7 B7 C7 D7")
        .forbids("swap"),
    three(SWAP_ONCE, "2/1o1/xx2/3 o 1").allows("swap"),
    three(SWAP_ONCE, "2/1o1/xx2/3 o 2").forbids("swap"),
    three(SWAP_ONCE, "2/1oo/xx2/3 x 1").forbids("swap"),
    CheckPosition::new(SWAPPED, "startpos")
        .after("A7 B7 C7 swap")
        .forbids("swap"),
    three(SWAPPED, "startpos").after("A3 B2 B3 swap B4"),
    three(COLOURS, "startpos")
        .after("A3 B2 B3 swap B4 C3 C1 D3")
        .won_by(P2),
    five(NO_SWAP, "startpos").after("A5 B5 C5").forbids("swap"),
    three(MATES, "1x/ox1/oxo1/3 x 1").mate(1),
    three(MATES, "oo/x1x/1o2/oxx x 1").mate(3),
    three(MATES, "oo/xxx/1o2/oxx o 1").mate(-2),
    three(MATES, "x1/x2/1o2/xo1 o 2").mate(5),
    three(MATES, "1x/1x1/1oo1/1xo x 1").mate(-4),
    CheckPosition::new(MATES, "4/1xo2/o1xo2/x2x3/ooooxx2/2oox1o/1o1xx1/xx3 x 1")
        .with("Size=5")
        .mate(3),
    CheckPosition::new(MATES, "x3/1xo2/o1xo2/x2x3/ooooxx2/2oox1o/1o1xx1/xx3 o 1")
        .with("Size=5")
        .mate(-2),
];
