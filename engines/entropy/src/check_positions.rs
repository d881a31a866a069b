//! Positions that test an engine's rules, one by one.

use kit::CheckPosition;
use kit::Side::{P1, P2};

const SLIDES: &str = "A piece slides any number of empty squares in one of eight directions.";
const NEIGHBOUR: &str = "Only a piece with an own neighbour, diagonal ones included, may slide.";
const CHECK: &str = "A player with isolated pieces must give each of them a neighbour in one move.";
const ANOTHER: &str = "A move that clears the check may isolate another piece.";
const SELF_CHECK: &str = "A move may isolate a piece of the mover.";
const PASS: &str = "Where no move is legal, in check or not, the only legal move is pass.";
const NO_PASS: &str = "Where another move is legal, pass is not.";
const TWO_PASSES: &str = "Two passes in a row draw the game.";
const BETWEEN: &str = "A slide between two passes resets their count.";
const GOAL: &str = "A player wins if every own piece has an enemy neighbour and no own neighbour.";
const GIVEN: &str = "A player who reaches the goal wins, whoever moved.";
const BOTH_GOALS: &str = "The game is drawn where both players reach the goal at once.";
const CONTACT: &str =
    "With Goal=contact a piece without an enemy neighbour has not reached the goal.";
const APART: &str = "With Goal=apart a player without own neighbours wins, in contact or not.";
const THIRD: &str = "The third occurrence of a position draws the game.";
const FIRST: &str = "A position string is the first occurrence of its position.";
const STRING: &str = "Passes in the position string count, and the goal comes before them.";
const MATES: &str = "A forced end is counted in plies.";

const START: &str = "sssss/s3s/5/o3o/ooooo o 0";
/// Each player has two isolated pieces with no common neighbouring square.
const BOTH_STUCK: &str = "ss2s/soo2/ssooo/5/o1s1o o 0";
/// Figure 4 of the game's questions and answers.
const FIGURE_4: &str = "sosos/1s3/o1o1o/2s2/soso1 o 0";
/// Figure 5: s cannot move, and each o next to c3 gives s the goal.
const FIGURE_5: &str = "sosos/4o/o1s1o/5/sosos o 0";

pub(crate) static CHECK_POSITIONS: &[CheckPosition] = &[
    CheckPosition::new(SLIDES, "startpos")
        .allows("a1-b2 a1-c3 a1-d4 c1-c4 e2-c4 a2-d2")
        .forbids("a1-a3 a1-b1 b1-c3 a1-e5 c1-c5 a2-e2"),
    CheckPosition::new(NEIGHBOUR, FIGURE_5).forbids("b5-b4 a3-b3"),
    CheckPosition::new(CHECK, "oooss/oosss/3ss/5/o1o2 o 0")
        .allows("b4-b1 b4-b2")
        .forbids("a4-a2 a5-b3 pass"),
    CheckPosition::new(CHECK, "s1o1s/o3o/ossos/s4/2oos o 0").allows("a4-c4"),
    CheckPosition::new(ANOTHER, "1o1ss/1o1oo/ss1os/s4/1os1o o 0").allows("b4-d2"),
    CheckPosition::new(ANOTHER, "so2o/s1s1s/2oss/o3o/s1o1o o 0").allows("e2-b2"),
    CheckPosition::new(SELF_CHECK, "oooos/2sss/2sss/oo3/4o o 0").after("b2-d2 c3-c2"),
    CheckPosition::new(PASS, BOTH_STUCK)
        .allows("pass")
        .forbids("b4-b3 a5-a5"),
    CheckPosition::new(PASS, "s1o1o/o2s1/3o1/s1sss/1osoo o 0").allows("pass"),
    CheckPosition::new(NO_PASS, "startpos").forbids("pass"),
    CheckPosition::new(NO_PASS, FIGURE_4)
        .after("pass")
        .forbids("pass"),
    CheckPosition::new(TWO_PASSES, BOTH_STUCK).after("pass"),
    CheckPosition::new(TWO_PASSES, BOTH_STUCK)
        .after("pass pass")
        .drawn(),
    CheckPosition::new(BETWEEN, FIGURE_4).after("pass b4-c4 pass"),
    CheckPosition::new(GOAL, FIGURE_4)
        .after("pass b4-c4 pass c2-d2 pass d2-e1 pass c4-d3")
        .won_by(P2),
    CheckPosition::new(GOAL, "1o2s/ss1o1/o2ss/1o3/ososo o 0"),
    CheckPosition::new(GIVEN, "sso1o/os3/s1o1s/5/ososo s 0")
        .after("b4-d4")
        .won_by(P1),
    CheckPosition::new(GIVEN, "sso1o/o3s/s1o1s/5/ososo s 1")
        .after("e3-d3")
        .won_by(P1),
    CheckPosition::new(BOTH_GOALS, FIGURE_4)
        .after("pass b4-b3 pass c2-e2")
        .drawn(),
    CheckPosition::new(CONTACT, "ososo/5/o1o1o/3ss/o1sss s 0"),
    CheckPosition::new(APART, "ososo/5/o1o1o/3ss/o1sss s 0")
        .with("Goal=apart")
        .won_by(P1),
    CheckPosition::new(THIRD, START)
        .after("b1-b2 b5-b4 b2-b1 b4-b5 b1-b2 b5-b4 b2-b1 b4-b5")
        .drawn(),
    CheckPosition::new(THIRD, "startpos").after("b1-b2 b5-b4 b2-b1 b4-b5"),
    CheckPosition::new(FIRST, "sssss/s3s/1o3/o3o/o1ooo s 0")
        .after("b5-b4 b3-b1 b4-b5 b1-b3 b5-b4 b3-b1 b4-b5 b1-b3")
        .drawn(),
    CheckPosition::new(STRING, "sssss/s3s/5/o3o/ooooo o 2").drawn(),
    CheckPosition::new(STRING, "sosos/5/o1oso/5/sosos o 2").won_by(P2),
    CheckPosition::new(STRING, "ss2s/soo2/ssooo/5/o1s1o o 1")
        .after("pass")
        .drawn(),
    CheckPosition::new(MATES, "s1s1s/oo1o1/s2so/o1o1s/1so2 s 0").mate(1),
    CheckPosition::new(MATES, "1o2s/ss1o1/o2ss/1o3/ososo o 0").mate(3),
    CheckPosition::new(MATES, "1o2s/ss1o1/o1oss/5/ososo s 0").mate(-2),
    CheckPosition::new(MATES, "3o1/sss1s/o2o1/s1sos/oo2o o 0").mate(5),
    CheckPosition::new(MATES, "3o1/sss1s/o1oo1/s1s1s/oo2o s 0").mate(-4),
];
