//! Analyses and reviews: who receives the results, and what interrupts or ends them.

use protocol::{Reply, Score};
use record::event::Event;
use record::game::Points;
use record::table::{NodeId, Role, TableEvent};
use referee::client::{BestMove, Fault, Thought};
use referee::player::PlayerEvent;

use super::case::{Case, Visitor, best_move};
use crate::client_game::ClientGame;
use crate::record_testing::rules;
use crate::request::TableCommand;
use crate::studies::GUEST_STUDY;

fn analyse(node: Option<usize>, lines: u32) -> TableCommand {
    TableCommand::Analyse {
        node: node.map(NodeId),
        lines: Some(lines),
        seconds: None,
    }
}

fn info(line: &str) -> PlayerEvent {
    match Reply::parse(&format!("info {line}")) {
        Ok(Reply::Info(info)) => PlayerEvent::Info(Box::new(info)),
        other => panic!("{line}: {other:?}"),
    }
}

fn scored(code: &str, score: Score) -> PlayerEvent {
    PlayerEvent::Moved(BestMove {
        code: code.to_owned(),
        ponder: None,
        elapsed: Default::default(),
        thought: Thought {
            score: Some(score),
            ..Thought::default()
        },
    })
}

/// Two people and a running analysis of two lines, started by Ann.
fn analysed() -> (Case, Visitor, Visitor) {
    let (mut case, ann, bob) = Case::two_people();
    assert_eq!(
        case.ask(&ann, analyse(None, 2)),
        ["Ann begins an analysis", "done"]
    );
    case.poll();
    assert_eq!(bob.events(), ["Ann begins an analysis"]);
    assert_eq!(
        case.told("helper"),
        ["begin", "MultiPV=2", "position startpos moves"]
    );
    (case, ann, bob)
}

#[test]
fn all_get_the_lines_and_the_newest_are_told() {
    let (mut case, ann, bob) = analysed();
    case.says("helper", Ok(info("depth 1 multipv 1 score cp 5 pv d4 z9")));
    assert_eq!(ann.events(), ["node 0: d4"]);
    assert_eq!(bob.events(), ["node 0: d4"]);
    case.says("helper", Ok(info("depth 1 multipv 2 score cp 1 pv a1 b1")));
    case.says("helper", Ok(info("depth 2 multipv 1 score cp 7 pv c1")));
    assert_eq!(ann.events(), [""; 0], "at most ten times a second");
    assert!(case.table.deadline(case.now).is_some());
    case.wait(100);
    assert_eq!(ann.events(), ["node 0: c1, d4"]);
    assert_eq!(
        case.ask(&ann, TableCommand::StopAnalysis),
        ["analysis ended: stopped", "done"]
    );
    assert_eq!(case.told("helper"), ["give up"]);
    assert_eq!(
        case.ask(&ann, TableCommand::StopAnalysis),
        ["refused: stop-analysis: no analysis is running"]
    );
}

#[test]
fn the_deepest_lines_of_a_node_are_kept() {
    let (mut case, ann, _bob) = analysed();
    case.says("helper", Ok(info("depth 9 score cp 5 pv d4")));
    case.ask(&ann, analyse(Some(0), 1));
    case.poll();
    case.says("helper", Ok(info("depth 2 score cp 1 pv a1")));
    let studies = case.table.analyst.study.told.clone();
    assert_eq!(studies.kept.len(), 1);
    assert_eq!(studies.kept[0].found.lines[0].code, "d4");
    assert_eq!(studies.running.expect("it runs").node, Some(NodeId(0)));
    case.ask(
        &ann,
        TableCommand::New {
            opening: None,
            lines: Vec::new(),
        },
    );
    let studies = case.table.analyst.study.told.clone();
    assert!(studies.kept.is_empty() && studies.running.is_none());
}

#[test]
fn an_analysis_follows_the_game() {
    let (mut case, ann, _bob) = analysed();
    case.play(&ann, "a1");
    assert_eq!(
        case.told("helper"),
        ["give up", "position startpos moves a1"]
    );
    ann.events();
    case.says("helper", Ok(info("depth 1 score cp 5 pv b1")));
    assert_eq!(ann.events(), ["node 1: b1"]);
    assert_eq!(
        case.table.analyst.study.told.clone().kept[0].side,
        kit::Side::P2
    );
}

#[test]
fn an_analysis_of_a_node_stays_there() {
    let (mut case, ann, bob) = Case::two_people();
    case.play(&ann, "a1");
    case.ask(&bob, analyse(Some(0), 1));
    case.poll();
    assert_eq!(case.told("helper"), ["begin", "position startpos moves"]);
    case.play(&bob, "b1");
    assert_eq!(case.told("helper"), [""; 0]);
}

#[test]
fn a_hint_interrupts_an_analysis() {
    let (mut case, ann, bob) = analysed();
    case.ask(&bob, TableCommand::Hint);
    case.poll();
    assert_eq!(
        case.told("helper"),
        ["give up", "MultiPV=1", "position startpos moves"]
    );
    case.says("helper", Ok(best_move("d4")));
    assert_eq!(
        bob.events(),
        ["Bob asked for Hint", "Hint: d4", "done"][1..]
    );
    assert_eq!(
        case.told("helper"),
        ["MultiPV=2", "position startpos moves"],
        "it goes on"
    );
    ann.events();
    case.says("helper", Ok(info("depth 1 score cp 5 pv d4")));
    assert_eq!(ann.events(), ["node 0: d4"]);
}

#[test]
fn the_newest_request_wins() {
    let (mut case, ann, bob) = analysed();
    case.play(&ann, "a1");
    let told = case.ask(&bob, TableCommand::Review { seconds: 0.5 });
    assert_eq!(
        told,
        [
            "analysis ended: another review starts",
            "Bob begins a review",
            "done"
        ]
    );
    assert_eq!(
        case.ask(&ann, analyse(None, 1))[0],
        "review ended: another analysis starts"
    );
}

#[test]
fn an_engine_that_dies_is_started_again_once() {
    let (mut case, ann, _bob) = analysed();
    case.says("helper", Err(Fault::Silent("bestmove")));
    assert_eq!(
        ann.events(),
        ["fault: the analysing engine no bestmove in time; it was restarted"]
    );
    assert_eq!(
        case.told("helper"),
        ["begin", "MultiPV=2", "position startpos moves"]
    );
    case.says("helper", Err(Fault::Silent("bestmove")));
    assert_eq!(
        ann.events(),
        ["analysis ended: the built-in engine: no bestmove in time"]
    );
    case.poll();
    assert_eq!(case.told("helper"), [""; 0]);
    case.ask(&ann, analyse(None, 1));
    case.poll();
    assert_eq!(case.told("helper")[0], "begin");
}

#[test]
fn who_leaves_takes_his_analysis_along() {
    let (mut case, ann, bob) = Case::two_people();
    case.ask(&bob, analyse(None, 1));
    case.poll();
    case.forget(&[&ann]);
    case.send(&bob, TableCommand::Leave);
    assert!(
        ann.events()
            .contains(&"analysis ended: the client that started it has left".to_owned())
    );
    assert_eq!(case.told("helper").pop().as_deref(), Some("give up"));
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    let (mut case, ann, _bob) = Case::two_people();
    let eve = case.join("Eve", Role::Spectator);
    let review = |seconds| TableCommand::Review { seconds };
    for (command, why) in [
        (analyse(None, 0), "analyse: 0 lines: expected 1 to 8"),
        (analyse(None, 9), "analyse: 9 lines: expected 1 to 8"),
        (analyse(Some(7), 1), "there is no node 7: expected 0 to 0"),
        (review(1.0), "review: there are no moves"),
        (
            review(f64::NAN),
            "review: NaN seconds: expected 0.001 to 86400",
        ),
        (review(0.0), "review: 0 seconds: expected 0.001 to 86400"),
    ] {
        assert_eq!(case.ask(&ann, command), [format!("refused: {why}")]);
    }
    assert_eq!(
        case.ask(&eve, analyse(None, 1)),
        ["refused: analyse: spectators can only watch"]
    );
    for (code, visitor) in [("d4", &ann), ("c3", &_bob), ("b2", &ann), ("a1", &_bob)] {
        case.play(visitor, code);
    }
    assert_eq!(
        case.ask(&ann, analyse(None, 1)),
        ["refused: analyse: the game is over there"]
    );
    assert_eq!(
        case.ask(&ann, analyse(Some(3), 1)),
        ["Ann begins an analysis", "done"],
        "before its end"
    );
}

#[test]
fn an_analysis_that_follows_waits_where_the_game_is_over() {
    let (mut case, ann, bob) = analysed();
    for (code, visitor) in [("d4", &ann), ("c3", &bob), ("b2", &ann), ("a1", &bob)] {
        case.play(visitor, code);
    }
    case.told("helper");
    case.poll();
    assert_eq!(case.told("helper"), [""; 0]);
    case.ask(&ann, TableCommand::Back { n: 1 });
    case.send(&bob, TableCommand::Accept);
    case.poll();
    assert_eq!(
        case.told("helper"),
        ["position startpos moves d4 c3 b2"],
        "and goes on before it"
    );
}

#[test]
fn a_review_goes_through_the_game() {
    let (mut case, ann, bob) = Case::two_people();
    for (code, visitor) in [("d4", &ann), ("c3", &bob), ("b1", &ann)] {
        case.play(visitor, code);
    }
    case.ask(&ann, TableCommand::Review { seconds: 0.5 });
    case.poll();
    ann.events();
    let answers = [
        ("d4", Score::Cp(0), ""),
        ("c3", Score::Cp(0), "1 of 3: d4 costs 0"),
        ("b1", Score::Mate(3), "2 of 3: c3 costs 0"),
        ("a1", Score::Mate(-2), "3 of 3: b1 costs 0"),
    ];
    for (code, score, told) in answers {
        case.says("helper", Ok(scored(code, score)));
        assert_eq!(ann.events().first().map_or("", String::as_str), told);
    }
    assert_eq!(
        case.told("helper"),
        [
            "begin",
            "position startpos moves",
            "position startpos moves d4",
            "position startpos moves d4 c3",
            "position startpos moves d4 c3 b1"
        ]
    );
    let studies = case.table.analyst.study.told.clone();
    assert!(studies.running.is_none(), "it is finished");
    let nodes: Vec<usize> = studies.review.iter().map(|ply| ply.node.0).collect();
    assert_eq!(nodes, [1, 2, 3]);
    let last = &studies.review[2].ply;
    assert_eq!(
        (last.before, last.after),
        (Some(Points::Mate(3)), Some(Points::Mate(3)))
    );
    assert!(last.is_exact && !last.threw_away);
}

#[test]
fn lines_belong_to_the_node_that_was_searched() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "a1");
    case.ask(&ann, analyse(None, 1));
    case.poll();
    case.told("helper");
    case.scripts
        .of("helper")
        .lock()
        .says
        .push_back(Ok(info("depth 1 score cp 5 pv b1")));
    ann.events();
    // The engine's move and a line of the previous position arrive in the same poll.
    case.says("Bot", Ok(best_move("b2")));
    let told = ann.events();
    assert!(told.contains(&"node 1: b1".to_owned()), "{told:?}");
    assert_eq!(
        case.told("helper"),
        ["give up", "position startpos moves a1 b2"]
    );
}

#[test]
fn a_question_outlives_the_game_that_it_is_about() {
    let (mut case, ann, bob) = Case::two_people();
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::Hint);
    case.ask(&bob, TableCommand::Hint);
    case.ask(
        &ann,
        TableCommand::New {
            opening: None,
            lines: Vec::new(),
        },
    );
    case.send(&bob, TableCommand::Accept);
    case.says("helper", Ok(best_move("b1")));
    case.says("helper", Ok(best_move("c1")));
    assert!(bob.events().contains(&"Hint: c1".to_owned()));
    assert_eq!(
        case.told("helper"),
        [
            "begin",
            "position startpos moves a1",
            "position startpos moves a1"
        ]
    );
}

#[test]
fn a_client_that_hears_the_events_knows_what_the_table_knows() {
    let (mut case, ann, bob) = Case::two_people();
    let Event::Table(TableEvent::Snapshot(snapshot)) = case.table.snapshot(bob.id) else {
        panic!("a snapshot");
    };
    let mut game = ClientGame::new(rules(), *snapshot).expect("a legal game");
    let check = |case: &Case, game: &mut ClientGame| {
        for event in bob.events.try_iter() {
            game.update(&event).expect("a legal game");
        }
        assert_eq!(game.snapshot().analysis, case.table.analyst.study.told);
    };
    case.play(&ann, "a1");
    case.ask(&ann, analyse(None, 2));
    check(&case, &mut game);
    case.poll();
    case.says("helper", Ok(info("depth 3 score cp 5 pv b1")));
    check(&case, &mut game);
    case.ask(&ann, TableCommand::Review { seconds: 0.5 });
    case.poll();
    check(&case, &mut game);
    for code in ["d4", "b1"] {
        case.says("helper", Ok(scored(code, Score::Cp(10))));
        check(&case, &mut game);
    }
    assert_eq!(game.snapshot().analysis.review.len(), 1);
    assert_eq!(game.snapshot().analysis.kept.len(), 1);
    assert_eq!(game.snapshot().analysis.running, None);
}

#[test]
fn a_guest_s_study_is_bounded_and_waits_for_others() {
    let (mut case, ann, bob) = Case::two_people();
    let timed = |seconds| TableCommand::Analyse {
        node: None,
        lines: None,
        seconds,
    };
    for seconds in [None, Some(86_400.0)] {
        case.ask(&bob, timed(seconds));
        let bound = case
            .table
            .study_task(NodeId::ROOT)
            .map(|task| task.go.move_time);
        assert_eq!(bound.ok().flatten(), Some(GUEST_STUDY));
    }
    // The host's stop ends it, and a study of the host does not wait.
    case.poll();
    assert_eq!(
        case.ask(&ann, TableCommand::StopAnalysis),
        ["analysis ended: stopped", "done"]
    );
    case.ask(&bob, timed(None));
    assert_eq!(
        case.ask(&ann, timed(Some(5.0))),
        [
            "analysis ended: another analysis starts",
            "Ann begins an analysis",
            "done"
        ]
    );
    // The guest's waits for the host's, and the newest one counts.
    bob.events();
    for _ in 0..2 {
        assert_eq!(case.ask(&bob, timed(Some(1.0))), ["done"]);
    }
    ann.events();
    case.told("helper");
    case.says("helper", Ok(best_move("a1")));
    case.poll();
    assert_eq!(
        ann.events(),
        ["analysis ended: finished", "Bob begins an analysis"]
    );
    // A guest cancels what waits, and the host's stop ends all.
    case.ask(&ann, timed(Some(5.0)));
    case.ask(&bob, timed(None));
    case.ask(&bob, TableCommand::StopAnalysis);
    let studies = &case.table.analyst.study;
    assert!(studies.waiting.is_empty() && studies.current.is_some());
    case.ask(&bob, timed(None));
    case.ask(&ann, TableCommand::StopAnalysis);
    let studies = &case.table.analyst.study;
    assert!(studies.waiting.is_empty() && studies.current.is_none());
    // A review takes no longer in all.
    case.play(&ann, "a1");
    case.ask(&bob, TableCommand::Review { seconds: 86_400.0 });
    let bound = case
        .table
        .study_task(NodeId::ROOT)
        .map(|task| task.go.move_time);
    assert_eq!(bound.ok().flatten(), Some(GUEST_STUDY / 2));
}
