//! Positions that test an engine's rules, most of them in a corner of the smallest board, where a1 is adjacent to a2,
//! b1 and b2.

use kit::CheckPosition;
use kit::Side::{P1, P2};

/// A position on the smallest board.
const fn small(rule: &'static str, position: &'static str) -> CheckPosition {
    CheckPosition::new(rule, position).with("Size=3")
}

const ROOM: &str = "A stone with an empty neighbour is not surrounded.";
const SURROUNDED: &str = "An opponent's stone without an empty neighbour wins for the mover.";
const ANY_STONES: &str = "Stones of both players surround.";
const OWN: &str = "An own stone without an empty neighbour loses for the mover.";
const BOTH: &str = "A move that surrounds stones of both players loses for the mover.";
const SLIDE: &str = "A slide leaves an empty cell behind.";
const SLIDE_SURROUNDS: &str = "A slide surrounds stones as a placement does.";
const STEP: &str = "A player may slide only an own stone, to an empty neighbour.";
const SIX_SLIDES: &str = "Six slides in a row draw the game.";
const DECIDED: &str =
    "A stone that the sixth slide surrounds decides the game before the slides are counted.";
const RESET: &str = "A placement ends a row of slides.";
const LIMIT: &str = "SlideLimit sets the number of slides in a row that draw.";
const NO_LIMIT: &str = "With SlideLimit=0 slides never draw; they are still counted.";
const REPETITION: &str = "With Repetition=N the N-th occurrence of a position draws.";
const NO_REPETITION: &str = "With Repetition=off no repetition draws.";
const TURN: &str = "The same stones with the other player to move are another position.";
const FIRST: &str = "A position string is the first occurrence of its position.";
const STRING: &str = "A position string is judged as if the player not to move had just moved.";
const NUMBERS: &str = "Cells are numbered from the left of their row, also below the middle.";
const MATES: &str = "A forced end is counted in plies.";

pub(crate) static CHECK_POSITIONS: &[CheckPosition] = &[
    small(ROOM, "o2/4/5/4/3 x 0").after("a2"),
    small(ROOM, "ox1/4/5/4/3 x 0").after("b1"),
    small(SURROUNDED, "ox1/x3/5/4/3 x 0").after("b2").won_by(P1),
    small(SURROUNDED, "xo1/o3/5/4/3 o 0").after("b2").won_by(P2),
    small(SURROUNDED, "3/1xx1/1xox1/1x2/3 x 0")
        .after("d3")
        .won_by(P1),
    small(ANY_STONES, "oo1/x3/5/4/3 x 0").after("b2").won_by(P1),
    small(ANY_STONES, "3/1xo1/1xox1/1x2/3 x 0")
        .after("d3")
        .won_by(P1),
    small(OWN, "xx1/o3/5/4/3 x 0").after("b2").won_by(P2),
    small(OWN, "1x1/xo2/5/4/3 x 0").after("a1").won_by(P2),
    small(OWN, "ox1/o3/5/4/3 o 0").after("b2").won_by(P1),
    small(BOTH, "oxo/o1o1/5/4/3 x 0").after("b2").won_by(P2),
    small(BOTH, "xox/x1x1/5/4/3 o 0").after("b2").won_by(P1),
    small(BOTH, "1ox/oxo1/5/4/3 x 0").after("a1").won_by(P2),
    small(SLIDE, "ox1/x3/5/4/3 x 0").after("a2->b2"),
    small(SLIDE, "1x1/xo2/5/4/3 x 0").after("b1->a1"),
    small(SLIDE_SURROUNDS, "ox1/x1x1/5/4/3 x 0")
        .after("b3->b2")
        .won_by(P1),
    small(SLIDE_SURROUNDS, "xx1/o1x1/5/4/3 x 0")
        .after("b3->b2")
        .won_by(P2),
    small(STEP, "x1o/4/5/4/3 x 0")
        .allows("a1->a2 a1->b1 a1->b2")
        .forbids("a1->a3 a1->c3 a1->a1 a2->b2 a3->b3 a1 a3"),
    CheckPosition::new(STEP, "5/6/7/8/4x4/8/7/6/5 x 0")
        .allows("e5->d4 e5->d5 e5->e4 e5->e6 e5->f4 e5->f5")
        .forbids("e5->d3 e5->d6 e5->e3 e5->e7 e5->f3 e5->f6"),
    CheckPosition::new(SIX_SLIDES, "startpos")
        .after("a1 i5 a1->a2 i5->i4 a2->a1 i4->i5 a1->a2 i5->i4")
        .drawn(),
    small(SIX_SLIDES, "o2/x1x1/5/4/3 x 5").after("b3->b2").drawn(),
    small(SIX_SLIDES, "x2/4/5/4/2o x 6").drawn(),
    small(DECIDED, "ox1/x1x1/5/4/3 x 5")
        .after("b3->b2")
        .won_by(P1),
    small(DECIDED, "xx1/o1x1/5/4/3 x 5")
        .after("b3->b2")
        .won_by(P2),
    small(DECIDED, "xo1/o1o1/5/4/3 o 5")
        .after("b3->b2")
        .won_by(P2),
    small(DECIDED, "ox1/xx2/5/4/3 o 6").won_by(P1),
    small(RESET, "x2/4/5/4/2o x 5").after("c3 e3->e2"),
    small(RESET, "startpos").after("a1 e3 a1->a2 e3->e2 a2->a1 e2->e3 c3 e3->e2 c3->c2"),
    small(LIMIT, "startpos")
        .with("Size=3 SlideLimit=4")
        .after("a1 e3 a1->a2 e3->e2 a2->a1 e2->e3")
        .drawn(),
    small(LIMIT, "x2/4/5/4/2o x 6")
        .with("Size=3 SlideLimit=8")
        .after("a1->a2 e3->e2")
        .drawn(),
    small(NO_LIMIT, "startpos")
        .with("Size=3 SlideLimit=0")
        .after("a1 e3 a1->a2 e3->e2 a2->a3 e2->e1 a3->b4 e1->d1 b4->c5 d1->c1"),
    small(NO_LIMIT, "x2/4/5/4/2o x 1000000").with("Size=3 SlideLimit=0"),
    small(REPETITION, "startpos")
        .with("Size=3 SlideLimit=0 Repetition=2")
        .after("a1 e3 a1->a2 e3->e2 a2->a1 e2->e3")
        .drawn(),
    small(REPETITION, "startpos")
        .with("Size=3 SlideLimit=0 Repetition=3")
        .after("a1 e3 a1->a2 e3->e2 a2->a1 e2->e3 a1->a2 e3->e2 a2->a1 e2->e3")
        .drawn(),
    small(REPETITION, "x2/4/5/4/2o x 0")
        .with("Size=3 SlideLimit=0 Repetition=3")
        .after("a1->b2 e3->e2 b2->a1 e2->e3 a1->a2 e3->d4 a2->a1 d4->e3")
        .drawn(),
    small(NO_REPETITION, "startpos")
        .with("Size=3 SlideLimit=99")
        .after("a1 e3 a1->a2 e3->e2 a2->a1 e2->e3 a1->a2 e3->e2 a2->a1 e2->e3 a1->a2 e3->e2 a2->a1 e2->e3"),
    small(TURN, "x2/4/5/4/2o x 0")
        .with("Size=3 SlideLimit=0 Repetition=2")
        .after("a1->b2 e3->e2 b2->a2 e2->e3 a2->a1"),
    small(FIRST, "x2/4/5/4/2o x 9")
        .with("Size=3 SlideLimit=0 Repetition=2")
        .after("a1->a2 e3->e2 a2->a1 e2->e3")
        .drawn(),
    small(STRING, "oxo/oxo1/5/4/3 o 0").won_by(P2),
    small(STRING, "oxo/oxo1/5/4/3 x 0").won_by(P1),
    small(STRING, "ox1/xx2/5/4/3 x 0").won_by(P1),
    CheckPosition::new(NUMBERS, "5/6/7/8/9/8/7/2x3/5 x 0")
        .allows("h3->g3 h3->g4 h3->h2 h3->h4 h3->i2 h3->i3 i5")
        .forbids("h3->g2 h3->i4 i6 e10 f9"),
    CheckPosition::new(NUMBERS, "startpos")
        .with("Size=8")
        .allows("a8 h15 o8")
        .forbids("a9 h16 p1"),
    small(MATES, "xoo/4/5/ox1x/1oo x 0").mate(1),
    small(MATES, "2x/1ox1/oxx2/2xo/ox1 x 1").mate(3),
    small(MATES, "x1x/oox1/4o/x2o/1x1 o 0").mate(3),
    small(MATES, "2x/1ox1/oxx2/1x1o/ox1 o 2").mate(-2),
    small(MATES, "1xx/xx2/1o1xo/2o1/2o x 0").mate(5),
    small(MATES, "o1x/1oo1/1ox1x/2ox/1x1 x 2").mate(-4),
];
