//! The lesson of Projex, on small boards.

use kit::diagram::Role;
use kit::{Goal, Lesson, LessonStep};

pub(crate) static LESSON: Lesson = Lesson {
    steps: &[
        LessonStep {
            position: "2/3/4/3 x 1",
            text: "Stones are placed on empty cells; they never move and are never taken.",
            task: "Place a stone.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "3/4/2o2/x5/5/4 x 1",
            text: "The pale cells around the board are copies of cells on the opposite edge, in the reverse order.",
            task: "Place a stone on a cell that A4 touches across the edge: one of the pale cells next to A4.",
            goal: Goal::OneOf(&["F3", "F4"]),
        },
        LessonStep {
            position: "ox/1oo/x1xx/1o1 x 1",
            text: "A ring of your stones that crosses the edge once wins.",
            task: "Close the row from A3 to D3 into a ring: its ends touch across the edge.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "3/1xx1/1x1x1/2xx2/o2oo/o1oo x 1",
            text: "A ring that does not cross the edge, such as that of the six x stones, wins nothing.",
            task: "The game is not over: place another stone.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "x1/2x/ooox/o1x x 1",
            text: "A ring may run in any direction, as long as it crosses the edge an odd number of times.",
            task: "Close a ring.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "xx/1ox/o1o1/2x o 1",
            text: "If your opponent needs a single stone, place yours there.",
            task: "Make a move after which x cannot win at once.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: "3/4/5/1xo2x/5/4 o 1",
            text: "The fourth move may be a swap: the stones stay, and the players exchange colours.",
            task: "Play `swap`, and own the two x stones.",
            goal: Goal::OneOf(&["swap"]),
        },
        LessonStep {
            position: "1o/1x1/1xo1/1ox x 1",
            text: "Two threats at once cannot both be stopped.",
            task: "Find the move that wins, whatever o answers.",
            goal: Goal::Win(3),
        },
    ],
    marks: &[
        (
            Role::FirstEdge,
            "an edge that continues at the other one of this colour, where equal arrows meet",
        ),
        (Role::Threat, "a ring that lacks one stone"),
        (Role::Decisive, "the ring that won"),
    ],
};
