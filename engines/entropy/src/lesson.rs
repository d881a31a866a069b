//! The lesson of Entropy, on small boards.

use kit::diagram::Role;
use kit::{Goal, Lesson, LessonStep};

pub(crate) static LESSON: Lesson = Lesson {
    steps: &[
        LessonStep {
            position: "sssss/s3s/5/o3o/ooooo o 0",
            text: "A piece slides over empty squares in any of the eight directions, if a piece of its own side is next to it.",
            task: "Slide a piece: choose it, then a square.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "s1o1o/o1sos/s4/oosso/s4 s 0",
            text: "You win when each of your pieces touches the other side, and none its own.",
            task: "Win: the S on d2 still touches an S.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "s1o1s/o3o/ossos/s4/2oos o 0",
            text: "A piece without any neighbour is isolated: its side is in check, and must give it a neighbour.",
            task: "Clear the check of the O on c5.",
            goal: Goal::Any,
        },
        LessonStep {
            position: "s2o1/o1oss/2so1/o3s/s1soo s 0",
            text: "A tick marks a piece that touches the other side alone.",
            task: "Win with one move.",
            goal: Goal::Win(1),
        },
        LessonStep {
            position: "s1os1/o3o/1ss1s/o1o2/so1so o 0",
            text: "Look for the squares that your opponent needs.",
            task: "Make a move after which S cannot win at once.",
            goal: Goal::Safe,
        },
        LessonStep {
            position: "1o3/1ssoo/soos1/2s2/so1os s 0",
            text: "A check leaves your opponent few moves.",
            task: "Find the move that wins, whatever O answers.",
            goal: Goal::Win(3),
        },
    ],
    marks: &[
        (Role::Danger, "an isolated piece, without a neighbour"),
        (Role::Finished, "a piece that touches the other side alone"),
        (Role::Decisive, "the pieces of the winner"),
    ],
};
