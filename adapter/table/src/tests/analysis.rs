//! Analyses and reviews: who receives the results, and what interrupts or ends them.

use crate::model::{NodeId, TableEvent};
use protocol::{Info, Score};
use record::game::Points;
use referee::engine::BestMove;
use referee::engine::EngineEvent;

use super::case::{Case, Visitor, best_move, info};
use crate::analyst::Subject;
use crate::client_game::ClientGame;
use crate::record_testing::rules;
use crate::studies::GUEST_STUDY;

fn scored(code: &str, score: Score) -> EngineEvent {
    EngineEvent::Moved(BestMove {
        code: code.to_owned(),
        ponder: None,
        elapsed: Default::default(),
        thought: Info {
            score: Some(score),
            ..Info::default()
        },
    })
}

/// Two people and a running analysis of two lines, started by Ann.
fn analysed() -> (Case, Visitor, Visitor) {
    let (mut case, ann, bob) = Case::two_people();
    case.talk(
        "Ann: analyse 2 => Ann begins an analysis | done
        poll / Bob hears Ann begins an analysis
        helper is told begin | MultiPV=2 | position startpos moves",
    );
    (case, ann, bob)
}

#[test]
fn all_get_the_lines_and_the_newest_are_told() {
    let (mut case, ..) = analysed();
    case.talk(
        "helper reports depth 1 multipv 1 score cp 5 pv d4 z9
        Ann hears node 0: d4 / Bob hears node 0: d4
        helper reports depth 1 multipv 2 score cp 1 pv a1 b1
        helper reports depth 2 multipv 1 score cp 7 pv c1
        // at most ten times a second
        Ann hears nothing",
    );
    assert!(case.table.deadline(case.now).is_some());
    case.talk(
        "wait 100 / Ann hears node 0: c1, d4
        Ann: stop-analysis => analysis ended: stopped | done
        helper is told give up
        Ann: stop-analysis => refused: No analysis is running.",
    );
}

#[test]
fn the_deepest_lines_of_a_node_are_kept() {
    let (mut case, ..) = analysed();
    case.talk(
        "helper reports depth 9 score cp 5 pv d4
        Ann: analyse 1 at 0 / poll / helper reports depth 2 score cp 1 pv a1",
    );
    let studies = case.table.analyst.told.clone();
    assert_eq!(studies.kept.len(), 1);
    assert_eq!(studies.kept[0].found.lines[0].code, "d4");
    assert_eq!(studies.running.expect("it runs").node, Some(NodeId(0)));
    case.talk("Ann: new");
    let studies = case.table.analyst.told.clone();
    assert!(studies.kept.is_empty() && studies.running.is_none());
}

#[test]
fn an_analysis_follows_the_game() {
    let (mut case, ..) = analysed();
    case.talk(
        "Ann plays a1 / helper is told give up | position startpos moves a1
        Ann hears .. / helper reports depth 1 score cp 5 pv b1 / Ann hears node 1: b1",
    );
    let kept = &case.table.analyst.told.kept;
    assert_eq!(kept[0].side, kit::Side::P2);
}

#[test]
fn a_review_goes_through_the_game() {
    let (mut case, ann, _) = Case::two_people();
    case.talk("Ann plays d4 / Bob plays c3 / Ann plays b1 / Ann: review 0.5 / poll / Ann hears ..");
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
    case.talk(
        "helper is told begin | position startpos moves | position startpos moves d4 | \
          position startpos moves d4 c3 | position startpos moves d4 c3 b1",
    );
    let studies = case.table.analyst.told.clone();
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
    case.talk("host Ann joins / Ann plays a1 / Ann: analyse 1 / poll / helper is told ..");
    let line = Ok(info("depth 1 score cp 5 pv b1"));
    case.scripts.of("helper").lock().says.push_back(line);
    // The engine's move and a line of the previous position arrive in the same poll.
    case.talk("Ann hears ..");
    case.says("Bot", Ok(best_move("b2")));
    case.talk("Ann hears .. | node 1: b1 | ..");
    case.talk("helper is told give up | position startpos moves a1 b2");
}

#[test]
fn a_client_that_hears_the_events_knows_what_the_table_knows() {
    let (mut case, _, bob) = Case::two_people();
    let TableEvent::Snapshot(snapshot) = case.table.snapshot(bob.id) else {
        panic!("a snapshot");
    };
    let mut game = ClientGame::new(rules(), *snapshot).expect("a legal game");
    let check = |case: &Case, game: &mut ClientGame| {
        for event in bob.events.try_iter() {
            game.update(&event).expect("a legal game");
        }
        assert_eq!(game.snapshot().analysis, case.table.analyst.told);
    };
    case.talk("Ann plays a1 / Ann: analyse 2");
    check(&case, &mut game);
    case.talk("poll / helper reports depth 3 score cp 5 pv b1");
    check(&case, &mut game);
    case.talk("Ann: review 0.5 / poll");
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
    let (mut case, ..) = Case::two_people();
    let bound = |case: &Case| {
        let task = case.table.task(Subject::Node(NodeId::ROOT));
        task.ok().and_then(|task| task.go.move_time)
    };
    for command in ["Bob: study", "Bob: study 86400"] {
        case.talk(command);
        assert_eq!(bound(&case), Some(GUEST_STUDY));
    }
    case.talk(
        "// The host's stop ends it, and a study of the host does not wait.
        poll / Ann: stop-analysis => analysis ended: stopped | done
        Bob: study
        Ann: study 5.0 => analysis ended: replaced by a newer one | Ann begins an analysis | \
          done
        // The guest's waits for the host's, and the newest one counts.
        Bob hears .. / Bob: study 1.0 => done
        Bob: study 1.0 => done
        Ann hears .. / helper is told .. / helper moves a1 / poll
        Ann hears analysis ended: finished | Bob begins an analysis
        // A guest cancels what waits, and the host's stop ends all.
        Ann: study 5.0 / Bob: study / Bob: stop-analysis",
    );
    let analyst = &case.table.analyst;
    assert!(analyst.waiting.is_empty() && analyst.study.is_some());
    case.talk("Bob: study / Ann: stop-analysis");
    let analyst = &case.table.analyst;
    assert!(analyst.waiting.is_empty() && analyst.study.is_none());
    // A review takes no longer in all.
    case.talk("Ann plays a1 / Bob: review 86400");
    assert_eq!(bound(&case), Some(GUEST_STUDY / 2));
}
