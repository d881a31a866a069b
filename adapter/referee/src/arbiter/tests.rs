//! Games of Nim, judged by the arbiter.

use super::*;
use crate::record_testing::rules;
use kit::dyn_history::expected_reply;

/// A false answer of an engine.
type Lie = fn(Query) -> Option<&'static str>;

const HONEST: Lie = |_| None;

/// A game without rules between A and B.
fn query() -> Arbiter {
    let known = QUESTIONS.into_iter().chain([Query::Fen]);
    let known: Vec<Query> = known.collect();
    Arbiter::query(&Opening::default(), [known.clone(), known])
}

/// The answers of engines that know Nim to what the arbiter asks.
fn answers(arbiter: &Arbiter, lies: [Lie; 2]) -> [Answers; 2] {
    let opening = arbiter
        .position()
        .strip_prefix("position ")
        .expect("a position");
    let board = rules()
        .open(&Opening::parse(opening))
        .expect("a legal position");
    let queries = arbiter.queries().expect("something is asked");
    Side::BOTH.map(|side| {
        let answer = |query: &Query| {
            let lie = lies[side.index()](*query).map(str::to_owned);
            let answer = lie.or_else(|| expected_reply(board.as_ref(), *query));
            answer.map(|text| text + "\n")
        };
        let texts = queries[side.index()].iter().filter_map(answer).collect();
        Answers {
            texts,
            complaint: None,
        }
    })
}

/// The ruling after all answers.
fn rule(arbiter: &mut Arbiter, lies: [Lie; 2]) -> Result<Ruling, (Side, Fault)> {
    let names = ["A", "B"].map(str::to_owned);
    while arbiter.queries().is_some() {
        let answers = answers(arbiter, lies);
        arbiter.told(&answers, &names)?;
    }
    Ok(arbiter.ruling())
}

#[test]
fn a_known_game_goes_by_its_rules() {
    let opening = Opening::default();
    let board = rules().open(&opening).expect("the start position");
    let mut arbiter = Arbiter::rules(board, &opening);
    assert_eq!(arbiter.play("A1"), Ok("a1"), "as the game writes it");
    assert_eq!(
        (arbiter.side(), arbiter.position()),
        (Side::P2, "position startpos moves a1")
    );
    assert!(arbiter.play("a1").is_err(), "that heap is empty");
    arbiter.take_back();
    assert_eq!(
        (arbiter.side(), arbiter.position()),
        (Side::P1, "position startpos moves")
    );
}

#[test]
fn an_unknown_game_is_what_both_engines_say() {
    let mut arbiter = query();
    assert_eq!(rule(&mut arbiter, [HONEST; 2]), Ok(Ruling::GoesOn));
    let refused = arbiter.play("a2").expect_err("the engine does not list it");
    assert!(
        refused.to_string().contains("not among the moves"),
        "{refused}"
    );
    for code in ["a1", "b2", "c3", "d4"] {
        arbiter.play(code).expect("the engine lists it");
        rule(&mut arbiter, [HONEST; 2]).expect("both answer");
    }
    let won = Ruling::Over(Outcome::Win(Side::P2));
    assert_eq!(rule(&mut arbiter, [HONEST; 2]), Ok(won));
}

/// An engine at fault loses, and does not undo the result that the other one gives.
#[test]
fn nonsense_is_a_fault_of_its_engine() {
    let begin: Lie = |query| (query == Query::P1Turn).then_some("perhaps");
    let (side, _) = rule(&mut query(), [begin, HONEST]).expect_err("it is unreadable");
    assert_eq!(side, Side::P1);
    let over: Lie = |query| (query == Query::GameOver).then_some("maybe");
    let result: Lie = |query| (query == Query::Result).then_some("I won");
    for (lie, words) in [
        (
            over,
            "answers query gameover with \"maybe\": expected true or false",
        ),
        (
            result,
            "answers query result with \"I won\": expected none, p1win, p2win or draw",
        ),
    ] {
        for (lies, blamed) in [([HONEST, lie], Side::P2), ([lie, HONEST], Side::P1)] {
            let (side, fault) = rule(&mut query(), lies).expect_err("it is unreadable");
            assert_eq!((side, fault.to_string().as_str()), (blamed, words));
        }
    }
    let ruled = rule(&mut query(), [over, over]);
    assert!(matches!(ruled, Ok(Ruling::Unclear(_))), "{ruled:?}");
}

/// A game keeps all its moves in memory, so an engine that lists no moves must not send a megabyte as one.
#[test]
fn a_move_of_an_unknown_game_is_short() {
    let mut arbiter = query();
    assert!(arbiter.play(&"x".repeat(1 << 20)).is_err());
    assert!(arbiter.play("a1\u{1b}").is_err());
    assert_eq!(arbiter.play("a1"), Ok("a1"));
}

#[test]
fn equal_results_end_a_game_though_one_engine_denies_its_end() {
    let denies: Lie = |query| (query == Query::GameOver).then_some("false");
    let mut arbiter = query();
    for code in ["a1", "b2", "c3", "d4"] {
        assert_eq!(rule(&mut arbiter, [HONEST, denies]), Ok(Ruling::GoesOn));
        arbiter.play(code).expect("the engine lists it");
    }
    let won = Ruling::Over(Outcome::Win(Side::P2));
    assert_eq!(rule(&mut arbiter, [HONEST, denies]), Ok(won));
}

#[test]
fn different_answers_are_a_disagreement() {
    let liar: Lie = |query| match query {
        Query::GameOver => Some("true"),
        Query::Result => Some("draw"),
        _ => None,
    };
    let words = "A answers gameover false, result none, p1turn true; \
                 B answers gameover true, result draw, p1turn true; position: 1/2/3/4 p1";
    let ruled = rule(&mut query(), [HONEST, liar]);
    assert_eq!(ruled, Ok(Ruling::Unclear(words.to_owned())));
}

/// The engine that moves is not the only one that is asked.
#[test]
fn a_move_that_the_opponent_does_not_accept_is_a_disagreement() {
    let lists: Lie = |query| (query == Query::Moves).then_some("b1 c1");
    let turns: Lie = |query| (query == Query::P1Turn).then_some("true");
    for (lie, words) in [
        (
            lists,
            "A plays a1, which B does not list; position: 0/2/3/4 p2",
        ),
        (
            turns,
            "A answers gameover false, result none, p1turn false; \
             B answers gameover false, result none, p1turn true; position: 0/2/3/4 p2",
        ),
    ] {
        let mut arbiter = query();
        assert_eq!(
            rule(&mut arbiter, [HONEST, lie]),
            Ok(Ruling::GoesOn),
            "{words}"
        );
        arbiter.play("a1").expect("its engine lists it");
        let ruled = rule(&mut arbiter, [HONEST, lie]);
        assert_eq!(ruled, Ok(Ruling::Unclear(words.to_owned())));
    }
    let names = ["A", "B"].map(str::to_owned);
    let mut arbiter = query();
    assert_eq!(rule(&mut arbiter, [HONEST; 2]), Ok(Ruling::GoesOn));
    arbiter.play("a1").expect("its engine lists it");
    let mut rejecting = answers(&arbiter, [HONEST; 2]);
    rejecting[1].complaint = Some(Complaint {
        command: "position",
        words: "a1: the heap is empty".to_owned(),
    });
    arbiter.told(&rejecting, &names).expect("both answer");
    let words = "B rejects the position: a1: the heap is empty; position of A: 0/2/3/4 p2";
    let ruled = rule(&mut arbiter, [HONEST; 2]);
    assert_eq!(ruled, Ok(Ruling::Unclear(words.to_owned())));
}
