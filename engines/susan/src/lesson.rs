//! The lesson of SUSAN, on small boards.

use kit::diagram::Role;
use kit::{Goal, Lesson, LessonStep};

pub(crate) static LESSON: Lesson = Lesson {
    steps: &[
        LessonStep {
            position: "3/4/5/4/3 x 0",
            text: "x moves first, and may place a stone on any empty cell.",
            task: "Place a stone.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "3/1x2/5/2o1/3 x 0",
            text: "Instead of placing a stone, you may slide one of yours to an empty cell next to it.",
            task: "Slide your stone: choose it, then one of the cells around it.",
            goal: Goal::OneOf(&["b2->a1", "b2->a2", "b2->b1", "b2->b3", "b2->c2", "b2->c3"]),
        },
        LessonStep {
            position: "ox1/x3/5/4/o2 x 0",
            text: "A stone is surrounded when no cell next to it is empty, and then its owner has lost.",
            task: "Surround the o in the corner.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "3/3o/3xo/4/xo1 x 0",
            text: "Stones of both sides and the edge of the board all take empty cells away.",
            task: "Surround the o on c5, to which another o is a neighbour.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "3/3o/3xo/x3/1o1 o 1",
            text: "A dashed ring marks a stone in danger: only one cell next to it is empty.",
            task: "Make a move after which x cannot win at once.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: "o1x/x1oo/5/4/o2 x 0",
            text: "If a stone of yours is surrounded after your own move, you have lost.",
            task: "Make a move that is safe: `a2` is not.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: "1o1o/1x1o1/1x2xo/1x1x1o1/1x1o1x/1o1xo/2o1 o 3",
            text: "Two stones in danger at once cannot both be rescued.",
            task: "Find the move that wins, whatever x answers.",
            goal: Goal::Win(3),
        },
    ],
    marks: &[
        (Role::Danger, "a stone with one empty cell next to it"),
        (Role::Decisive, "the surrounded stone"),
        (Role::Counted, "slides in a row"),
        (Role::Pending, "slides until the game is drawn"),
    ],
};
