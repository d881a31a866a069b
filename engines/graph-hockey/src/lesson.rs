//! The lesson of Graph Hockey, on small boards.

use kit::diagram::Role;
use kit::{Goal, Lesson, LessonStep};

pub(crate) static LESSON: Lesson = Lesson {
    steps: &[
        LessonStep {
            position: "1x1 -",
            text: "Both players extend one line from the puck, each towards their own goal: p1 downwards.",
            task: "Draw a line to one of the marked points.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "1x1 GHKIBT",
            text: "The puck in your goal wins for you, whoever moved it there.",
            task: "p1: bring the puck into the bottom goal.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "1x1 GHKIB",
            text: "A line must not touch or cross another one, so only a few points are left.",
            task: "Draw a line to one of them.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "1x1 FRUJEI",
            text: "Where your line ends, your opponent continues.",
            task: "Make a move after which p2 cannot reach the top goal at once.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: "1x1 EGGHL",
            text: "Far moves of an inch, in four directions, reach what the near ones do not.",
            task: "p2: bring the puck into the top goal.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "1x1 YQRRFR",
            text: "If every move would touch a line, the puck may jump across lines: a free jump.",
            task: "p1: jump out of the corner.",
            goal: Goal::Any,
        },
    ],
    marks: &[
        (
            Role::Goal,
            "a goal, in the colour of the side that plays for it",
        ),
        (Role::Trail, "a line that no move may touch or cross"),
        (
            Role::Jump,
            "no ordinary move was left: a ring for a free jump, a square on its corner for strangeness",
        ),
        (Role::Decisive, "the puck in the goal"),
        (Role::Grid, "paper with eight squares an inch"),
    ],
};
