//! Checks that the lesson and the recorded game of a game agree with its rules.

use draw::Goal;
use kit::GameEntry;
use kit::lesson::{judge, solution};

use super::about::{check_text, codes, open};

/// Number of exercises in a lesson.
const STEPS: std::ops::RangeInclusive<usize> = 5..=8;

/// Checks the lesson of a game: each exercise has right moves, and the rules refuse some legal moves unless it asks for
/// any.
///
/// # Panics
/// With the wrong exercise.
pub fn check_lesson(entry: &GameEntry) {
    let (name, lesson) = (entry.name, &entry.texts().lesson);
    let n_steps = lesson.steps.len();
    assert!(STEPS.contains(&n_steps), "{name}: {n_steps} exercises");
    for (_, text) in &lesson.marks {
        check_text(name, text);
    }
    for step in &lesson.steps {
        check_text(name, step.text);
        check_text(name, step.task);
        let (position, goal) = (open(entry, Some(step.position)), &step.goal);
        let moves = position.moves();
        for code in codes(step.task) {
            assert!(moves.iter().any(|other| other == code), "{name}: {code}");
        }
        if let Goal::OneOf(codes) = goal {
            let is_legal = |code: &&str| moves.iter().any(|other| other == code);
            assert!(codes.iter().all(is_legal), "{name}: {codes:?} in {moves:?}");
        }
        let is_right = |code: &String| {
            let judged = judge(goal, position.as_ref(), code);
            judged.expect("a legal move").is_right
        };
        let n_right = moves.iter().filter(|&code| is_right(code)).count();
        let is_choice = n_right < moves.len() || *goal == Goal::Any;
        assert!(
            n_right > 0 && is_choice,
            "{name}, {}: {n_right} of {} moves are right",
            step.task,
            moves.len()
        );
        let solution = solution(goal, position.as_ref());
        assert!(is_right(&solution[0]), "{name}, {}", step.task);
    }
}

/// Checks the recorded game: its moves are legal, and the last one ends it.
///
/// # Panics
/// With the first wrong move, or the number of moves.
pub fn check_game(entry: &GameEntry) {
    let (start, codes) = entry.texts().game.split_once(" moves ").expect("a game");
    let mut board = open(entry, Some(start).filter(|text| *text != "startpos"));
    for code in codes.split(' ') {
        let played = board.play(code);
        played.unwrap_or_else(|why| panic!("{}, {code}: {why}", entry.name));
    }
    let n_moves = board.ply();
    assert!(board.outcome().is_some(), "{}: {n_moves} moves", entry.name);
}
