//! The introduction to Graph Hockey for new players.

use kit::{About, RuleSection};

pub(crate) static ABOUT: About = About {
    title: "Graph Hockey",
    year: 1970,
    author: "Robert Maas",
    idea: "Both players draw one long line, and each tries to end it in their own goal.",
    example: "`G` goes straight down, `L` far to the right",
    rules: &[
        RuleSection::new(
            "Aim",
            "Bring the puck, the end of the line, into the goal that you play for: p1 the bottom one, p2 the top one. It \
             counts for you, whoever moved. The puck must end inside, not on the outline.",
        )
        .shown(
            "1x1 GHKIBT",
            "p1 plays `K` and wins: the puck ends inside the bottom goal.",
        ),
        RuleSection::new(
            "Field",
            "Paper with eight squares an inch. The options Side and Gap are the inches beside the goals and between them.",
        ),
        RuleSection::new(
            "A move",
            "p1 begins. A move draws a straight line from the puck to one of twenty points: sixteen around it, and one an \
             inch away in each of four directions. You may not pass.",
        ),
        RuleSection::new(
            "Lines",
            "A move must not touch or cross a line drawn before. It may end on one, and the next move may leave it on \
             either side. It may cross a goal's outline, not run along it. It ends inside the field.",
        )
        .shown(
            "1x1 GHKIB",
            "The letters around the puck are the legal moves. The others would touch a line or leave the field.",
        ),
        RuleSection::new(
            "Boxed in",
            "If there is no such move, the puck may jump across lines: a free jump. If there is none either, every move \
             inside the field is legal. Only then is a draw possible, by a third occurrence of a position.",
        ),
        RuleSection::new(
            "Typing",
            "A letter is a direction, as on a keyboard: `W` `E` `R` `T` `Y` up, `D` `F` `G` `H` `J` down, `Q` `A` `S` left, \
             `U` `I` `K` right; `V` `B` `Z` `L` an inch up, down, left, right.",
        ),
    ],
};

/// A game between two engines that ends by the rules.
pub(crate) const GAME: &str =
    "2x3 - moves T T B T B E B Q B I S E B Y A U A T G Y F Y F K A D K U Q U E K F H L R Y";
