//! The introduction to SUSAN for new players.

use kit::{About, RuleSection};

pub(crate) static ABOUT: About = About {
    title: "SUSAN",
    year: 1991,
    author: "Stephen Linhart",
    idea: "Surround a stone of your opponent's, and let none of your own be surrounded.",
    example: "`e5` places a stone, `b2->c3` slides one",
    rules: &[
        RuleSection::new(
            "Aim",
            "Surround any one stone of your opponent's. A stone is surrounded when no cell next to it is empty. Stones \
             of both sides and the edge of the board all count.",
        )
        .shown(
            "ox1/x3/5/4/o2 x 0",
            "x plays `b2` and wins: the o on a1 has no empty cell next to it.",
        ),
        RuleSection::new(
            "Board",
            "A hexagon with five cells a side, 61 in all; the option Size makes it 3 to 8 a side. x moves first. The \
             number of stones is unlimited.",
        ),
        RuleSection::new(
            "A move",
            "Place a stone of yours on any empty cell, or slide one of your stones to an empty cell next to it. You may \
             not pass.",
        )
        .shown(
            "5/1o4/7/8/4xx3/8/7/6/5 o 0",
            "o may slide its stone to any of six cells, as in `b2->c3`, or place another one.",
        ),
        RuleSection::new(
            "Losing",
            "If a stone of yours is surrounded after your own move, you lose, even if the move also surrounds a stone of \
             your opponent's. Your own stones also take empty cells from each other.",
        )
        .shown(
            "o1x/x1oo/5/4/o2 x 0",
            "x must not play `a2`: it takes the last empty cell next to the x on a3.",
        ),
        RuleSection::new(
            "Draws",
            "Six slides in a row, three by each side, draw the game. A stone that is placed starts the count again. The \
             options SlideLimit and Repetition change this.",
        ),
        RuleSection::new(
            "Typing",
            "Rows are letters from the top, cells are numbered from the left of their row. `e5` places a stone on e5, \
             `b2->c3` slides the one on b2 to c3.",
        ),
    ],
};

/// A game between two engines that ends by the rules.
pub(crate) const GAME: &str = "startpos moves g4 f4 g2 h2 e4 h4 i2 f6 i4 d5 e6 d6 h5 e7 d7 f5 e6->e5 d4 e4->f3 g6 f7 e7->e8 c4 f2 d3 d4->c3 \
    e4 f4->g3 h3 h2->h1 e2 d2 b2 f8 h6 b1 f1 e8->e9 h2 e9->d8 e4->f4";
