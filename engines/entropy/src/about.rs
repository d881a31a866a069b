//! The introduction to Entropy for new players.

use kit::{About, RuleSection};

pub(crate) static ABOUT: About = About {
    title: "Entropy",
    year: 1994,
    author: "Augustine Carreno",
    idea: "Scatter your pieces until each one touches the other side, and none its own.",
    example: "`b1-d3` slides a piece",
    rules: &[
        RuleSection::new(
            "Aim",
            "Each of your seven pieces has a piece of the other side next to it, and none of your own. Diagonals count: a \
             square has up to eight neighbours.",
        )
        .shown(
            "s1o1o/o1sos/s4/oosso/s4 s 0",
            "S plays `d2-e1` and wins: every S touches an O, and no S.",
        ),
        RuleSection::new(
            "Board",
            "5 x 5 squares, and seven pieces a side: O begins at the bottom, S at the top. Nothing is ever captured. O moves \
             first. With the option Goal=apart, the pieces need not touch the other side.",
        ),
        RuleSection::new(
            "A move",
            "Slide a piece over any number of empty squares in one of the eight directions. It can move only if a piece of \
             its own side is next to it.",
        ),
        RuleSection::new(
            "Check",
            "A piece without any neighbour is isolated. If you have such pieces at the start of your turn, you are in check: \
             your move must leave each of them with a neighbour.",
        )
        .shown(
            "s1o1s/o3o/ossos/s4/2oos o 0",
            "O is in check: its piece on c5 is isolated. `a4-c4` clears the check, and isolates the S on a5.",
        ),
        RuleSection::new(
            "Passing",
            "If you have no legal move, in check or not, you `pass`. You may not pass otherwise.",
        ),
        RuleSection::new(
            "The end",
            "After each move, a side that has reached the aim wins, whoever moved. If both have, the game is drawn. \
             Two passes in a row and the third occurrence of a position are also draws.",
        ),
        RuleSection::new(
            "Typing",
            "Files are letters from the left, ranks numbers from the bottom. `b1-d3` slides the piece on b1 to d3.",
        ),
    ],
};

/// A game between two engines that ends by the rules.
pub(crate) const GAME: &str = "startpos moves b1-d3 e4-e3 c1-c3 b5-b1 d1-c1 a4-a3 a2-b3 c5-b5 b3-c2 b5-b2 c2-b3 a3-b4 b3-a3 d5-e4 d3-c4 e4-d3 \
    e1-d2 d3-d4 c4-c5 d4-d5 d2-d3 b2-b3 d3-e4";
