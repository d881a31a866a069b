//! Dialogues with an engine in memory, at times set by the test.

use std::time::{Duration, Instant};

use kit::{Outcome, Side};
use protocol::{Dialect, Go, Query, Score};

use super::memory::Wire;
use super::*;
use crate::process::Death;

const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(10),
    ping: Duration::from_secs(5),
    search: Duration::from_secs(600),
};
const SECOND: Duration = Duration::from_secs(1);

/// A client with an in-memory engine and a simulated time.
struct Case {
    client: Client,
    wire: Wire,
    now: Instant,
}

impl Case {
    /// A client that has just sent the handshake.
    fn started(dialect: Dialect) -> Case {
        let (wire, now) = (Wire::silent(), Instant::now());
        let client = Client::new(Box::new(wire.clone()), dialect, TIMEOUTS, now);
        Case { client, wire, now }
    }

    /// A client whose engine has completed the handshake.
    fn ready(dialect: Dialect) -> Case {
        let mut case = Case::started(dialect);
        let ok = match dialect {
            Dialect::Ugi => "ugiok",
            Dialect::Uci | Dialect::Uai => "uciok",
        };
        case.say(ok);
        assert_eq!(case.poll(), Ok(Some(ClientEvent::Greeted)));
        case.wire.sent();
        case
    }

    /// A client whose engine has been searching for a millisecond and has answered the `isready` fence.
    fn thinking(dialect: Dialect) -> Case {
        let mut case = Case::ready(dialect);
        case.go("position startpos moves a1")
            .expect("nothing was unasked");
        case.say("readyok");
        assert_eq!(case.poll(), Ok(None));
        case.wire.sent();
        case
    }

    fn pondering() -> Case {
        let mut case = Case::ready(Dialect::Ugi);
        assert!(
            case.client
                .ponder("position startpos moves a1 b1", Go::default(), case.now)
        );
        assert_eq!(
            case.wire.sent(),
            ["position startpos moves a1 b1", "go ponder"]
        );
        case.pass(SECOND);
        case
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
    }

    /// Makes the engine send these lines a millisecond later.
    fn say(&mut self, lines: &str) {
        self.pass(Duration::from_millis(1));
        self.wire.say(self.now, lines);
        self.pass(Duration::from_millis(1));
    }

    fn poll(&mut self) -> Result<Option<ClientEvent>, Fault> {
        self.client.poll(self.now)
    }

    fn go(&mut self, position: &str) -> Result<(), Fault> {
        let go = Go {
            nodes: Some(7),
            ..Go::default()
        };
        self.client.go(position, go, SECOND, self.now)
    }

    fn new_game(&mut self) {
        self.client.new_game(self.now);
    }

    /// The `bestmove` that the next poll returns.
    fn best_move(&mut self) -> BestMove {
        match self.poll() {
            Ok(Some(ClientEvent::BestMove(best))) => best,
            other => panic!("{other:?} and no move"),
        }
    }
}

fn unasked(line: &str) -> Fault {
    Fault::Unasked(line.to_owned())
}

#[test]
fn a_handshake_tells_name_and_options() {
    let mut case = Case::started(Dialect::Ugi);
    assert_eq!(case.wire.sent(), ["ugi"]);
    case.say("junk\nid name Some Engine\noption name Hash type spin default 1 min 1 max 8");
    assert_eq!(case.poll(), Ok(None));
    case.say("ugiok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Greeted)));
    assert_eq!(case.client.id_name(), Some("Some Engine"));
    assert_eq!(case.client.declared()[0].name, "Hash");
}

#[test]
fn each_dialect_has_its_greeting() {
    let mut case = Case::started(Dialect::Uci);
    assert_eq!(case.wire.sent(), ["uci"]);
    case.pass(TIMEOUTS.startup);
    let fault = case.poll().expect_err("nothing came");
    assert_eq!(
        fault.to_string(),
        "no uciok in time; it said nothing: it must flush its output after each line, and an engine that speaks UGI needs proto=ugi"
    );
    assert!(fault.is_silence());
}

#[test]
fn requests_wait_for_what_the_engine_owes() {
    let mut case = Case::ready(Dialect::Ugi);
    case.client
        .set_options(&[("Hash".to_owned(), Some("4".to_owned()))], case.now);
    case.new_game();
    case.go("position startpos moves")
        .expect("nothing was unasked");
    assert_eq!(case.wire.sent(), ["setoption name Hash value 4", "isready"]);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Set)));
    assert_eq!(case.wire.sent(), ["uginewgame", "isready"]);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Ready)));
    assert_eq!(
        case.wire.sent(),
        ["position startpos moves", "isready", "go nodes 7"]
    );
    case.say("readyok\nbestmove a1");
    assert_eq!(case.best_move().elapsed, Duration::from_millis(1));
}

#[test]
fn a_move_comes_with_its_time_and_thought() {
    for (dialect, lines) in [
        (
            Dialect::Ugi,
            ["position startpos moves a1", "isready", "go nodes 7"].as_slice(),
        ),
        (Dialect::Uci, &["position startpos moves a1", "go nodes 7"]),
    ] {
        let mut case = Case::ready(dialect);
        case.go("position startpos moves a1")
            .expect("nothing was unasked");
        assert_eq!(case.wire.sent(), lines);
        case.pass(Duration::from_millis(299));
        let fence = if dialect == Dialect::Ugi {
            "readyok\n"
        } else {
            ""
        };
        case.say(&format!(
            "{fence}info depth 3 nodes 9 score cp -5 pv b1 c1\nbestmove b1 ponder c1"
        ));
        let best = case.best_move();
        assert_eq!(
            (best.code.as_str(), best.ponder.as_deref()),
            ("b1", Some("c1"))
        );
        assert_eq!(best.elapsed, Duration::from_millis(300));
        assert_eq!(best.thought.score, Some(Score::Cp(-5)));
        assert_eq!((best.thought.depth, best.thought.nodes), (Some(3), Some(9)));
    }
}

#[test]
fn a_move_before_the_fence_was_not_asked_for() {
    let mut case = Case::ready(Dialect::Ugi);
    case.go("position startpos moves")
        .expect("nothing was unasked");
    case.say("bestmove a1\nreadyok\nbestmove b1");
    assert_eq!(case.poll(), Err(unasked("bestmove a1")));
    // The outstanding answer to the search causes no further fault in the next game.
    case.new_game();
    assert_eq!(case.wire.sent()[3..], ["uginewgame", "isready"]);
}

#[test]
fn a_stale_move_just_before_go_is_one_fault_and_no_more() {
    let mut case = Case::ready(Dialect::Uci);
    // It arrives before `go` is sent, but is received afterwards.
    let before = case.now;
    case.pass(Duration::from_millis(1));
    case.go("position startpos moves")
        .expect("it was not received yet");
    case.wire.say(before, "bestmove a1");
    assert_eq!(case.poll(), Err(unasked("bestmove a1")));
    for _ in 0..3 {
        case.wire.sent();
        case.new_game();
        case.say("bestmove b1");
        assert_eq!(case.poll(), Ok(None), "the search of before is over");
        case.say("readyok");
        assert_eq!(case.poll(), Ok(Some(ClientEvent::Ready)));
        case.go("position startpos moves")
            .expect("nothing was unasked");
        case.say("bestmove c1");
        assert_eq!(case.best_move().code, "c1");
        case.go("position startpos moves c1 d1")
            .expect("nothing was unasked");
        case.pass(SECOND);
        assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
    }
}

#[test]
fn a_second_move_was_not_asked_for() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say("bestmove a1\nbestmove b1");
    assert_eq!(case.best_move().code, "a1");
    assert_eq!(
        case.go("position startpos moves a1 a2"),
        Err(unasked("bestmove b1"))
    );
}

#[test]
fn a_move_in_the_pause_between_games_costs_nothing() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say("bestmove a1\nbestmove b1");
    case.best_move();
    case.new_game();
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Ready)));
    case.say("bestmove b1");
    assert_eq!(case.poll(), Err(unasked("bestmove b1")), "a game has begun");
}

#[test]
fn an_unreadable_move_is_a_fault() {
    let mut case = Case::thinking(Dialect::Uci);
    case.say("bestmove");
    assert_eq!(case.poll(), Err(Fault::Unreadable("bestmove".to_owned())));
}

#[test]
fn a_ponder_hit_goes_on_with_the_same_search() {
    let mut case = Case::pondering();
    case.client
        .ponder_hit(SECOND, case.now)
        .expect("nothing was unasked");
    assert_eq!(case.wire.sent(), ["ponderhit"]);
    case.say("bestmove c1");
    assert_eq!(
        case.best_move().elapsed,
        Duration::from_millis(1),
        "from the hit on"
    );
}

#[test]
fn after_a_ponder_miss_the_search_ends_first() {
    let mut case = Case::pondering();
    case.go("position startpos moves a1 d1")
        .expect("nothing was unasked");
    assert_eq!(case.wire.sent(), ["stop"]);
    case.say("bestmove c1");
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(
        case.wire.sent(),
        ["position startpos moves a1 d1", "isready", "go nodes 7"]
    );
    case.say("readyok\nbestmove e1");
    assert_eq!(case.best_move().code, "e1");
}

#[test]
fn an_engine_that_does_not_end_its_pondering_is_at_fault() {
    let mut case = Case::pondering();
    case.go("position startpos moves a1 d1")
        .expect("nothing was unasked");
    case.pass(TIMEOUTS.ping);
    assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
}

#[test]
fn an_answer_to_go_ponder_comes_too_early() {
    let mut case = Case::pondering();
    case.say("bestmove c1");
    let hit = case.client.ponder_hit(SECOND, case.now);
    assert_eq!(hit, Err(unasked("bestmove c1")));
    // After a ponder miss the answer is ignored, so an early one is no fault.
    let mut case = Case::pondering();
    case.say("bestmove c1");
    assert_eq!(case.poll(), Ok(None));
    case.go("position startpos moves a1 d1")
        .expect("the answer to the pondering");
    assert_eq!(case.wire.sent().len(), 3, "no stop");
}

#[test]
fn an_engine_asked_to_move_now_answers_as_ever() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.client.move_now();
    assert_eq!(case.wire.sent(), ["stop"]);
    case.say("bestmove b1");
    assert_eq!(case.best_move().code, "b1");
}

#[test]
fn the_answer_to_a_search_given_up_is_thrown_away() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.client.give_up(case.now);
    case.go("position startpos moves b1")
        .expect("nothing was unasked");
    assert_eq!(case.wire.sent(), ["stop"]);
    case.say("bestmove a1");
    assert_eq!(case.poll(), Ok(None));
    case.say("readyok\nbestmove c1");
    assert_eq!(case.best_move().code, "c1");
}

#[test]
fn an_engine_out_of_time_may_answer_late() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.pass(SECOND);
    assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
    case.pass(SECOND);
    case.new_game();
    assert_eq!(case.wire.sent(), ["stop"]);
    case.say("bestmove a1");
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(case.wire.sent(), ["uginewgame", "isready"]);
}

#[test]
fn what_arrives_after_the_deadline_is_too_late() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.pass(SECOND);
    case.say("bestmove a1");
    assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
    case.new_game();
    assert_eq!(
        case.wire.sent(),
        ["uginewgame", "isready"],
        "it was the answer that was owed"
    );
}

#[test]
fn what_arrived_in_time_counts_however_late_it_is_looked_at() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say("bestmove a1");
    case.pass(SECOND);
    assert_eq!(case.best_move().code, "a1");
}

#[test]
fn an_engine_that_reads_nothing_is_told_from_a_silent_one() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.wire.deafen();
    case.pass(SECOND);
    assert_eq!(case.poll(), Err(Fault::Unread("bestmove")));
}

#[test]
fn a_closed_output_is_told_with_the_status_of_the_process() {
    for (death, told) in [
        (Some(Death::Exited(3)), Death::Exited(3)),
        (Some(Death::Killed(9)), Death::Killed(9)),
        (None, Death::ClosedOutput),
    ] {
        let mut case = Case::thinking(Dialect::Ugi);
        case.wire.close();
        assert_eq!(case.poll(), Ok(None), "it has a moment to end");
        if let Some(death) = death {
            case.wire.exit(death);
        }
        case.pass(EXIT_TIMEOUT);
        let due = Some("bestmove");
        assert_eq!(
            case.poll(),
            Err(Fault::Died {
                death: told,
                due,
                memory: None
            })
        );
    }
}

#[test]
fn last_output_counts() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say("bestmove a1");
    case.wire.close();
    case.wire.exit(Death::Exited(5));
    assert_eq!(case.best_move().code, "a1");
    case.go("position startpos moves a1 a2")
        .expect("nothing was unasked");
    let (death, due) = (Death::Exited(5), Some("bestmove"));
    assert_eq!(
        case.poll(),
        Err(Fault::Died {
            death,
            due,
            memory: None
        })
    );
}

#[test]
fn a_death_behind_an_open_pipe_is_found() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.wire.exit(Death::Exited(6));
    case.pass(LIFE_CHECK);
    assert_eq!(case.poll(), Ok(None), "its last words may be on their way");
    case.pass(LIFE_CHECK);
    let (death, due) = (Death::Exited(6), Some("bestmove"));
    assert_eq!(
        case.poll(),
        Err(Fault::Died {
            death,
            due,
            memory: None
        })
    );
}

#[test]
fn a_flood_holds_nobody_up_and_does_not_extend_a_deadline() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say(&"readyok\n".repeat(2 * MAX_MESSAGES));
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(
        case.client.deadline(case.now),
        Some(case.now),
        "there is more"
    );
    assert_eq!(case.poll(), Ok(None));
    case.pass(SECOND);
    case.say("readyok\nreadyok");
    assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
}

#[test]
fn questions_are_answered_one_by_one() {
    let mut case = Case::ready(Dialect::Ugi);
    let queries = [Query::GameOver, Query::Result];
    case.client
        .ask("position startpos moves", &queries, case.now)
        .expect("nothing was unasked");
    assert_eq!(
        case.wire.sent(),
        ["position startpos moves", "query gameover", "query result"]
    );
    case.say("response true\nresponse draw");
    assert_eq!(
        case.poll(),
        Ok(Some(ClientEvent::Response("true".to_owned())))
    );
    assert_eq!(
        case.poll(),
        Ok(Some(ClientEvent::Response("draw".to_owned())))
    );
    case.client
        .ask("position startpos moves", &queries, case.now)
        .expect("nothing was unasked");
    case.pass(TIMEOUTS.ping);
    assert_eq!(case.poll(), Err(Fault::Silent("response")));
}

#[test]
fn a_position_is_sent_once_for_queries_and_search() {
    let mut case = Case::ready(Dialect::Ugi);
    let ask = |case: &mut Case| {
        let asked = case
            .client
            .ask("position startpos moves a1", &[Query::GameOver], case.now);
        asked.expect("nothing was unasked");
        case.say("response false");
        assert!(matches!(case.poll(), Ok(Some(ClientEvent::Response(_)))));
        case.wire.sent();
    };
    let search = |case: &mut Case, position: &str| {
        case.go(position).expect("nothing was unasked");
        let sent = case.wire.sent();
        case.say("readyok\nbestmove b1");
        case.best_move();
        sent
    };
    ask(&mut case);
    assert_eq!(
        search(&mut case, "position startpos moves a1"),
        ["isready", "go nodes 7"]
    );
    let sent = search(&mut case, "position startpos moves a1");
    assert_eq!(sent[0], "position startpos moves a1", "after a search");
    ask(&mut case);
    let sent = search(&mut case, "position startpos moves a1 b1");
    assert_eq!(sent[0], "position startpos moves a1 b1", "another one");
    ask(&mut case);
    case.client.set_options(&[], case.now);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Set)));
    case.wire.sent();
    let sent = search(&mut case, "position startpos moves a1");
    assert_eq!(sent[0], "position startpos moves a1", "after options");
    let asked = case
        .client
        .ask("position startpos moves a1", &[Query::GameOver], case.now);
    asked.expect("nothing was unasked");
    case.say("info error no such cell\nresponse false");
    assert!(matches!(case.poll(), Ok(Some(ClientEvent::Response(_)))));
    assert!(case.client.complaint().is_some());
    case.wire.sent();
    let sent = search(&mut case, "position startpos moves a1");
    assert_eq!(sent[0], "position startpos moves a1", "after an error");
}

#[test]
fn a_probe_finds_what_is_answered() {
    let mut case = Case::ready(Dialect::Ugi);
    case.client
        .probe(&[Query::P1Turn, Query::GameOver, Query::Moves], case.now);
    assert_eq!(case.wire.sent().len(), 6, "a fence after each question");
    case.say("info error no\nreadyok\nresponse false\nreadyok\nresponse a1 b1\nreadyok");
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(case.wire.sent(), ["query p1turn", "isready"], "to be sure");
    case.say("info error no\nreadyok");
    let answered = vec![Query::GameOver, Query::Moves];
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Probed(answered))));
}

/// Each `readyok` is sent twice: that of the options, and those of the probe.
#[test]
fn a_doubled_readyok_is_not_taken_for_an_unanswered_query() {
    let mut case = Case::ready(Dialect::Ugi);
    case.client.set_options(&[], case.now);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Set)));
    const ALL: [Query; 4] = [Query::P1Turn, Query::GameOver, Query::Result, Query::Moves];
    case.client.probe(&ALL, case.now);
    case.say("readyok");
    for answer in ["true", "false", "none", "a1 b1"] {
        case.say(&format!("response {answer}\nreadyok\nreadyok"));
    }
    assert_eq!(case.poll(), Err(Fault::OutOfStep));
    assert_eq!(
        Fault::OutOfStep.to_string(),
        "answers isready with more than one readyok, or before it answers an earlier query"
    );
}

#[test]
fn a_greeting_without_end_is_a_fault() {
    let mut case = Case::started(Dialect::Ugi);
    let line = format!("option name A type string default {}", "x".repeat(1 << 19));
    for _ in 0..40 {
        case.say(&line);
    }
    let fault = case.poll().expect_err("it does not end");
    assert_eq!(fault.to_string(), "sent more than 16 MiB before ugiok");
}

#[test]
fn words_against_a_position_are_kept() {
    let mut case = Case::ready(Dialect::Ugi);
    case.go("position startpos moves z9")
        .expect("nothing was unasked");
    case.say("info error no such cell\nreadyok\ninfo error another\nbestmove a1");
    case.best_move();
    let complaint = case.client.complaint().expect("it complained");
    assert_eq!(
        (complaint.command, complaint.words.as_str()),
        ("position", "no such cell")
    );
    case.go("position startpos moves a1")
        .expect("nothing was unasked");
    assert_eq!(case.client.complaint(), None);
    case.say("readyok\ninfo error nodes is no limit");
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(
        case.client.complaint().expect("it complained").command,
        "go"
    );
}

#[test]
fn an_option_set_in_a_search_waits_for_its_end() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.client
        .set_options(&[("Hash".to_owned(), Some("4".to_owned()))], case.now);
    assert!(case.wire.sent().is_empty());
    case.say("bestmove a1");
    case.best_move();
    assert_eq!(case.wire.sent(), ["setoption name Hash value 4", "isready"]);
}

#[test]
fn the_end_of_a_game_is_told_and_nothing_is_due() {
    let mut case = Case::ready(Dialect::Ugi);
    case.client
        .end_game("position startpos moves a1 b1", None, case.now);
    assert_eq!(case.wire.sent(), ["position startpos moves a1 b1"]);
    case.pass(SECOND);
    assert_eq!(case.poll(), Ok(None));
    case.client.new_game(case.now);
    assert_eq!(case.wire.sent(), ["uginewgame", "isready"]);
}

#[test]
fn a_result_that_is_not_by_the_rules_follows_the_position() {
    let mut case = Case::ready(Dialect::Ugi);
    let position = "position startpos moves a1";
    let resigned = Some(Outcome::Win(Side::P2));
    case.client.end_game(position, resigned, case.now);
    let result = "setoption name LearnResult value p2win";
    assert_eq!(case.wire.sent(), [position, result]);
    case.say("info string learned from game 3");
    let learned = ClientEvent::Learned("learned from game 3".to_owned());
    assert_eq!(case.poll(), Ok(Some(learned)));
}

#[test]
fn an_engine_that_ponders_is_told_of_the_end_when_its_search_has_ended() {
    let mut case = Case::pondering();
    case.client
        .end_game("position startpos moves a1 c1", None, case.now);
    case.client.new_game(case.now);
    assert_eq!(case.wire.sent(), ["stop"]);
    case.say("bestmove c1");
    assert_eq!(case.poll(), Ok(None));
    let told = ["position startpos moves a1 c1", "uginewgame", "isready"];
    assert_eq!(case.wire.sent(), told);
}

#[test]
fn an_engine_that_must_quit_first_is_told_of_the_end_of_the_game() {
    let mut case = Case::pondering();
    case.client
        .end_game("position startpos moves a1 c1", None, case.now);
    case.client.ask_to_quit();
    let told = ["stop", "position startpos moves a1 c1", "quit"];
    assert_eq!(case.wire.sent(), told);
}
