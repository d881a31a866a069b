//! The introduction to Projex for new players.

use kit::{About, RuleSection};

pub(crate) static ABOUT: About = About {
    title: "Projex",
    year: 1994,
    author: "Bill Taylor",
    idea: "Close a loop of stones on a board whose opposite edges are joined.",
    example: "`F6` places a stone, `swap` exchanges the colours",
    rules: &[
        RuleSection::new(
            "Aim",
            "Close a global loop: a ring of your stones, each next to the following one, that crosses the edge of the board \
             an odd number of times.",
        )
        .shown(
            "ox/1oo/x1xx/1o1 x 1",
            "x plays `B3` and wins: the row A3 to D3 is a loop, for its ends touch across the edge.",
        ),
        RuleSection::new(
            "Board",
            "A hexagon of cells. A cell at the edge also touches two cells on the opposite side. Pictures show them, pale, \
             around the board. So the board has no border: the browser rolls it if you drag it. The option Size makes it 3 \
             to 14 cells a side.",
        ),
        RuleSection::new(
            "A move",
            "x begins. Place a stone of your colour on an empty cell. Stones never move and are never taken. You may not \
             pass.",
        ),
        RuleSection::new(
            "No loop",
            "A ring that does not cross the edge, or crosses it an even number of times, wins nothing: it only encloses a \
             part of the board.",
        )
        .shown(
            "3/1xx1/1x1x1/2xx2/o2oo/o1oo x 1",
            "The ring of six x stones is not a global loop. A stone on `D3` would not help.",
        ),
        RuleSection::new(
            "Swap",
            "The first player has an advantage. So the fourth move may be `swap` instead of a stone: the stones stay, and \
             the players exchange colours. The option Swap turns this off.",
        )
        .shown(
            "3/4/5/1xo2x/5/4 o 1",
            "Three stones lie on the board: p2 may place an o, or play `swap` and own x.",
        ),
        RuleSection::new(
            "No draws",
            "Two global loops always share a cell, and on a full board one colour has one. So exactly one side wins.",
        ),
        RuleSection::new(
            "Typing",
            "Rows are numbered from the top. Letters name the diagonals that run down to the right; they are shown at \
             the lower ends. `F6` places a stone.",
        ),
    ],
};

/// A game between two engines that ends by the rules.
pub(crate) const GAME: &str = "startpos moves C9 F2 G6 G7 F7 E8 F8 H3 E9 D10 D9 F5 I5 C8 B9 H8 K4 I1 L4 J7 G4 G3 F4 G10 E3 H5 H6 H11 I10 E5 \
    D7 D8 C7 E4 F3 A9 A10 K3 J4";
