//! The introduction to Gobblet! for new players.

use kit::{About, RuleSection};

pub(crate) static ABOUT: About = About {
    title: "Gobblet!",
    year: 2001,
    author: "Thierry Denoual",
    idea: "Get a line of your own pieces, which may cover smaller ones.",
    example: "`3@b2` places a piece of size 3, `a3-b2` moves one",
    rules: &[
        RuleSection::new(
            "Aim",
            "Get a row, a column or a main diagonal of your own visible pieces. Their sizes do not matter. A line is three \
             squares on 3x3 (Gobblet! Jr.) and four on 4x4 (Gobblet!); the option Size chooses.",
        )
        .shown(
            ".,r3,./r3,y1,./y2,r1,y2 y",
            "yellow plays `3@b1`, covers the small red piece and has the line a1 b1 c1.",
        ),
        RuleSection::new(
            "Pieces",
            "On 3x3 each side has two pieces of each size, 1 to 3. On 4x4 it has three of each, 1 to 4, in stacks off the \
             board, the largest on top. red moves first.",
        ),
        RuleSection::new(
            "A move",
            "Place a piece from off the board, or move a visible piece of yours to any other square. It lands on an \
             empty square or covers a smaller piece of either side. You may not pass.",
        )
        .shown(
            "r2,.,./.,y1,./.,.,. r",
            "red may place a piece of size 3 on the yellow one: `3@b2`. Or the piece of size 2 moves there: `a3-b2`.",
        ),
        RuleSection::new(
            "Covered",
            "A covered piece stays and counts for no line, until the piece on it leaves. If your move uncovers a line of \
             your opponent's, you lose, unless the piece lands on that line.",
        ),
        RuleSection::new(
            "On 4x4",
            "A piece from off the board may cover only a piece of an opponent who has exactly three visible pieces on \
             a line through it.",
        )
        .shown(
            "y4,y3,y2,./.,r4,.,./.,.,r4,./r4,.,.,. r",
            "Three yellow pieces are in the top row, so `3@c4` is legal: it stops the line.",
        ),
        RuleSection::new(
            "Draws",
            "The third time that the same position occurs, the game is drawn.",
        ),
        RuleSection::new(
            "Typing",
            "Files are letters, ranks numbers from the bottom. `3@b2` places a piece of size 3 on b2, \
             `a3-b2` moves the piece on a3 to b2.",
        ),
    ],
};

/// A game between two engines that ends by the rules.
pub(crate) const GAME: &str = "startpos moves 3@a3 2@b1 3@a1 3@a2 a1-c3 3@b3 c3-b2 2@c1 a3-c1 b1-a3 b2-a3 a2-b2 2@b1 b3-b1 2@b3 1@a1 1@c3";
