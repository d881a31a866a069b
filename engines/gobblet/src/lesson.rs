//! The lesson of Gobblet!, on small boards.

use kit::diagram::Role;
use kit::{Goal, Lesson, LessonStep};

pub(crate) static LESSON: Lesson = Lesson {
    steps: &[
        LessonStep {
            position: ".,.,./.,.,./.,.,. r",
            text: "Each side has two pieces of each size off the board, and red moves first.",
            task: "Place a piece: choose one of yours, then a square.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "r2,.,./.,y1,./.,.,. r",
            text: "A piece lands on an empty square, or covers a smaller piece of either side.",
            task: "Cover the yellow piece, from off the board or from a3.",
            goal: Goal::OneOf(&["3@b2", "2@b2", "a3-b2"]),
        },
        LessonStep {
            position: ".,r3,./r3,y1,./y2,r1,y2 y",
            text: "Three visible pieces of yours in a row, a column or a diagonal win.",
            task: "Complete a line: a piece may cover the red one below.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: ".,.,r1/.,.,y2/r3,.,. y",
            text: "A dashed line marks three squares on which one more piece would win.",
            task: "Stop the red line, so that red cannot win at once.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: "r3,r2,r1y3/.,y1,./.,.,. y",
            text: "A covered piece stays where it is: if your move uncovers a line of your opponent, you have lost.",
            task: "Make a move after which red has no line.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: ".,.,r1/r3,.,r2y3/y2,.,. r",
            text: "Two threats at once cannot both be stopped.",
            task: "Find the move that wins, whatever yellow answers.",
            goal: Goal::Win(3),
        },
    ],
    marks: &[
        (
            Role::Danger,
            "a line that the opponent completes with one more piece",
        ),
        (Role::Decisive, "the line that won"),
        (Role::Covered, "a piece under another one"),
    ],
};
