//! Seats and permissions.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kit::Side;
use kit::search::Ladder;
use record::opening::Opening;
use record::table::{Role, SideAuto, SideSet};
use record::token::Secret;
use referee::client::Fault;

use parking_lot::Mutex;

use super::case::{Case, Visitor, best_move, spec};
use crate::adaptive::{Rating, Ratings};
use crate::level::{LevelChoice, level};
use crate::request::{JoinWish, TableCommand};

#[test]
fn nobody_moves_in_the_others_seat() {
    let (mut case, ann, bob) = Case::two_people();
    assert_eq!(case.play(&bob, "a1"), ["refused: p1 is to move: wait"]);
    case.play(&ann, "a1");
    assert_eq!(case.play(&ann, "b1"), ["refused: p2 is to move: wait"]);
}

#[test]
fn a_spectator_watches_and_talks() {
    let (mut case, ann, _bob) = Case::two_people();
    let eve = case.join("Eve", Role::Spectator);
    eve.events();
    for command in [
        TableCommand::Play {
            code: "a1".to_owned(),
            from: None,
        },
        TableCommand::Undo,
        TableCommand::Resign,
        TableCommand::Hint,
        TableCommand::MoveNow,
        TableCommand::Accept,
    ] {
        let word = command.word();
        let refused = format!("refused: {word}: spectators can only watch");
        assert_eq!(case.ask(&eve, command), [refused]);
    }
    assert_eq!(
        case.ask(&eve, TableCommand::Quit),
        ["refused: quit: only the host may"]
    );
    case.play(&ann, "a1");
    assert_eq!(eve.events(), ["p1 plays a1", "turn of p2"]);
    ann.events();
    let say = TableCommand::Say {
        text: "hi".to_owned(),
    };
    assert_eq!(case.ask(&eve, say), ["Eve: hi", "done"]);
    assert_eq!(ann.events(), ["Eve: hi"]);
}

#[test]
fn what_only_the_host_may() {
    let (mut case, _ann, bob) = Case::two_people();
    for command in [
        TableCommand::Go { limit: None },
        TableCommand::Pause,
        TableCommand::SetAuto {
            sides: SideSet::BOTH,
        },
        TableCommand::SetLevel {
            level: LevelChoice::Fixed(3),
        },
        TableCommand::Save { path: "x".into() },
        TableCommand::Load { path: "x".into() },
        TableCommand::New {
            opening: None,
            lines: Vec::new(),
        },
        TableCommand::Quit,
    ] {
        let refused = format!("refused: {}: only the host may", command.word());
        assert_eq!(case.ask(&bob, command), [refused]);
    }
}

#[test]
fn a_guest_who_drops_comes_back_to_his_seat() {
    let mut case = Case::with(["human", "human"], "tc=60", Side::P2.into());
    case.table.reconnect = Duration::from_secs(50);
    let ann = case.join("Ann", Role::Host);
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    let token = bob.token();
    case.play(&ann, "a1");
    ann.events();
    drop(bob);
    case.send(&ann, TableCommand::Say { text: "?".into() });
    case.poll();
    assert_eq!(
        ann.events(),
        [
            "Ann: ?",
            "done",
            "Bob left: connection lost",
            "p2: Person AwayGuest",
            "turn of p2"
        ]
    );
    case.wait(50_000);
    assert_eq!(
        case.ask(&ann, TableCommand::Clock),
        ["clocks 60 60", "done"],
        "no clock runs while the guest may reconnect"
    );
    let eve = case.join("Eve", Role::Player(Side::P2.into()));
    assert_eq!(
        eve.events(),
        ["refused: the seat is taken, or not reserved for a guest: join to watch"]
    );
    let wrong = case.join_with("Eve", Role::Player(SideSet::NONE), Some("0".into()), 9);
    assert_eq!(
        wrong.events(),
        ["refused: no seat is reserved for this token"]
    );
    case.wait(10_000);
    let back = |case: &mut Case| {
        let token = Some(token.clone());
        case.join_with("Bob", Role::Player(SideSet::NONE), token, 99)
    };
    let bob = back(&mut case);
    assert_eq!(bob.events()[0], "welcome Player(SideSet([false, true]))");
    assert_eq!(
        case.ask(&bob, TableCommand::Clock),
        ["clocks 60 50", "done"],
        "then it runs on"
    );
    case.ask(&bob, TableCommand::Leave);
    case.wait(10_000);
    let bob = back(&mut case);
    assert_eq!(
        case.ask(&bob, TableCommand::Clock)[0],
        "clocks 60 40",
        "the time to reconnect is that of the whole game"
    );
    case.play(&bob, "b1");
    assert_eq!(case.moves(), "a1 b1");
}

#[test]
fn a_guest_who_leaves_loses_on_time_and_the_opponent_may_claim_before() {
    let leave = |limit: &str| {
        let (mut case, ann, bob) = Case::two_people_with(limit);
        case.play(&ann, "a1");
        case.ask(&bob, TableCommand::Leave);
        let told = ann.events();
        assert!(told.contains(&"Bob left: quit".to_owned()), "{told:?}");
        (case, ann)
    };
    let claim = |draw: bool| TableCommand::Claim { draw };
    let (mut case, ann) = leave("tc=60");
    case.wait(59_999);
    assert_eq!(
        case.ask(&ann, claim(false)),
        ["refused: claim: p2 left 59 s ago: expected 60 s"]
    );
    case.wait(1);
    assert_eq!(ann.events()[0], "over: 1-0 {p2 loses on time: 60.000 s}");
    for (draw, result) in [(false, "1-0"), (true, "1/2-1/2")] {
        let (mut case, ann) = leave("-");
        case.wait(60_000);
        let over = format!("over: {result} {{p2 left the game}}");
        assert_eq!(case.ask(&ann, claim(draw)), [&over, "no turn", "done"]);
        assert!(case.ledger().contains(r#""termination":"abandoned""#));
    }
}

#[test]
fn who_is_there_or_to_move_claims_nothing() {
    let (mut case, ann, bob) = Case::two_people();
    case.wait(60_000);
    let claim = || TableCommand::Claim { draw: false };
    let own_turn = ["refused: claim: expected the turn of an opponent who has left"];
    assert_eq!(case.ask(&ann, claim()), own_turn);
    assert_eq!(case.ask(&bob, claim()), ["refused: claim: p1 has not left"]);
    let eve = case.join("Eve", Role::Spectator);
    case.ask(&bob, TableCommand::Leave);
    case.play(&ann, "a1");
    assert_eq!(
        case.ask(&eve, claim()),
        ["refused: claim: spectators can only watch"]
    );
}

#[test]
fn an_engine_moves_on_its_clock_though_the_guest_has_left() {
    let mut case = Case::with(["human", "Bot"], "tc=60", Side::P1.into());
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    case.play(&bob, "a1");
    case.ask(&bob, TableCommand::Leave);
    case.poll();
    case.says("Bot", Ok(best_move("b1")));
    assert_eq!(case.moves(), "a1 b1");
    case.wait(60_000);
    let over = case.table.over.as_ref().expect("his flag fell");
    assert_eq!(over.reason, "p1 loses on time: 60.000 s");
}

#[test]
fn a_guest_who_comes_twice_leaves_his_old_line() {
    let mut case = Case::with(["human", "human"], "-", Side::P2.into());
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    let token = bob.token();
    let again = case.join_with("Bob", Role::Player(SideSet::NONE), Some(token), 99);
    assert_eq!(
        bob.events().last().map(String::as_str),
        Some("removed: the seat is now used by a newer connection true")
    );
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "a1");
    assert_eq!(case.play(&bob, "b1"), [""; 0], "he is gone");
    case.play(&again, "b1");
    assert_eq!(case.moves(), "a1 b1");
}

#[test]
fn engines_wait_for_a_guest_who_has_not_come() {
    let mut case = Case::with(["Bot", "human"], "depth=3", Side::P2.into());
    let ann = case.join("Ann", Role::Host);
    case.poll();
    assert_eq!(case.told("Bot"), ["start"]);
    ann.events();
    let _bob = case.join("Bob", Role::Player(SideSet::NONE));
    case.poll();
    assert_eq!(
        ann.events(),
        ["p2: Person Guest", "Bob joined", "p1 thinks"]
    );
}

#[test]
fn an_engine_takes_a_seat_over_and_hands_it_back() {
    let (mut case, ann, bob) = Case::two_people();
    let auto = |sides: SideSet| TableCommand::SetAuto { sides };
    assert_eq!(
        case.ask(&ann, auto(Side::P2.into())),
        ["refused: p2 is the seat of a guest, who is connected"]
    );
    case.ask(&ann, auto(Side::P1.into()));
    case.poll();
    assert_eq!(
        bob.events()[..2],
        ["p1: Engine Host", "p1 thinks"],
        "it is announced"
    );
    assert_eq!(
        case.told("helper"),
        ["begin", "position startpos moves"],
        "nobody waits for it"
    );
    assert_eq!(
        case.ask(&ann, auto(SideSet::NONE)),
        ["p1: Person Host", "turn of p1", "done"]
    );
    assert_eq!(case.told("helper"), ["give up"]);
    case.says("helper", Ok(crate::tests::case::best_move("a1")));
    assert_eq!(case.moves(), "", "the answer is thrown away");
}

#[test]
fn go_has_an_engine_make_one_move() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("helper", Ok(crate::tests::case::best_move("a1")));
    assert_eq!(ann.events(), ["ledger begun", "p1 plays a1", "turn of p2"]);
    assert_eq!(
        case.ask(&ann, TableCommand::Clock),
        ["clocks 60 60", "done"],
        "the person's clock is his own again"
    );
    assert!(case.ledger().contains(r#""by":"engine""#));
}

#[test]
fn a_change_of_the_other_seat_charges_no_time_of_a_stand_in() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    let go = || TableCommand::Go { limit: None };
    case.ask(&ann, go());
    case.poll();
    case.ask(&ann, set_seat("human", "tc=60", false));
    case.wait(50_000);
    let mut best = best_move("a1");
    if let referee::player::PlayerEvent::Moved(best) = &mut best {
        best.elapsed = Duration::from_secs(50);
    }
    case.says("helper", Ok(best));
    let clocks = |case: &mut Case, visitor| case.ask(visitor, TableCommand::Clock)[0].clone();
    assert_eq!(clocks(&mut case, &ann), "clocks 60 60");
    // Nor does a takeback, nor a reopened ledger.
    case.play(&ann, "b1");
    case.ask(&ann, TableCommand::Back { n: 1 });
    assert_eq!(clocks(&mut case, &ann), "clocks 60 60");
    let mut case = case.resumed();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(clocks(&mut case, &ann), "clocks 60 60");
}

#[test]
fn the_fault_of_another_engine_charges_no_time_of_a_stand_in() {
    let mut case = Case::with(["human", "Bot"], "tc=60", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    // Bot is still busy with the search that the takeback abandons.
    case.ask(&ann, TableCommand::Undo);
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("Bot", Err(Fault::Unreadable("bestmove".to_owned())));
    assert_eq!(
        case.ask(&ann, TableCommand::Clock)[0],
        "clocks -1 60",
        "the stand-in searches on its limit"
    );
}

#[test]
fn a_stand_in_that_fails_charges_no_time_to_the_person() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.wait(20_000);
    let limit = Some("tc=60".parse().expect("a limit"));
    case.ask(&ann, TableCommand::Go { limit });
    case.wait(50_000);
    case.says("helper", Err(Fault::Unreadable("bestmove".to_owned())));
    assert_eq!(case.ask(&ann, TableCommand::Clock)[0], "clocks 40 60");
    let limit = Some("st=1".parse().expect("a limit"));
    case.ask(&ann, TableCommand::Go { limit });
    case.wait(2_000);
    let mut best = best_move("a1");
    if let referee::player::PlayerEvent::Moved(best) = &mut best {
        best.elapsed = Duration::from_secs(2);
    }
    ann.events();
    case.says("helper", Ok(best));
    assert_eq!(ann.events()[0], "fault: helper did not move in time");
    assert_eq!(case.ask(&ann, TableCommand::Clock)[0], "clocks 40 60");
}

#[test]
fn a_clock_with_a_new_limit_counts_from_there() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    let clocks = |case: &mut Case, visitor| case.ask(visitor, TableCommand::Clock)[0].clone();
    for code in ["a1", "b1"] {
        case.wait(20_000);
        case.play(&ann, code);
    }
    case.play(&ann, "b1");
    case.wait(30_000);
    case.ask(&ann, set_seat("human", "tc=30", false));
    assert_eq!(clocks(&mut case, &ann), "clocks 40 30");
    case.wait(10_000);
    case.play(&ann, "c1");
    assert_eq!(clocks(&mut case, &ann), "clocks 40 20");
    let mut case = case.resumed();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(clocks(&mut case, &ann), "clocks 40 20");
}

#[test]
fn a_move_that_is_made_again_takes_its_new_time() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    let clocks = |case: &mut Case, visitor| case.ask(visitor, TableCommand::Clock)[0].clone();
    for ms in [5_000, 30_000] {
        case.wait(ms);
        case.play(&ann, "a1");
        case.play(&ann, "b1");
        case.ask(&ann, TableCommand::Back { n: 2 });
    }
    case.ask(&ann, TableCommand::Forward { n: 2 });
    assert_eq!(clocks(&mut case, &ann), "clocks 30 60");
    let mut case = case.resumed();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(clocks(&mut case, &ann), "clocks 30 60");
}

#[test]
fn a_rematch_exchanges_the_sides_of_all_players() {
    let mut case = Case::with(["human", "human"], "-", Side::P2.into());
    let ann = case.join("Ann", Role::Host);
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    let token = bob.token();
    case.play(&ann, "a1");
    let refused = ["refused: rematch: this game goes on: expected a finished one"];
    assert_eq!(case.ask(&ann, TableCommand::Rematch), refused);
    case.ask(&bob, TableCommand::Resign);
    case.ask(&ann, TableCommand::Rematch);
    let is_done = |told: &[String]| told.iter().any(|line| line == "done");
    assert!(!is_done(&case.play(&ann, "a1")), "it is Bob's turn");
    assert!(is_done(&case.play(&bob, "a1")));
    assert!(is_done(&case.play(&ann, "b1")));
    // Bob's token is now that of the other side.
    drop(bob);
    let bob = case.join_with("Bob", Role::Player(SideSet::NONE), Some(token), 9);
    case.forget(&[&ann, &bob]);
    assert!(is_done(&case.play(&bob, "b1")));
    let name = |case: &Case, side| case.table.player_name(side);
    let names = Side::BOTH.map(|side| name(&case, side));
    let case = case.resumed();
    assert_eq!(Side::BOTH.map(|side| name(&case, side)), names);
    assert!(case.table.is_anyone_awaited(), "p1 is the guest's seat");
}

#[test]
fn a_guest_s_rematch_needs_the_consent_of_the_other_person() {
    let mut case = Case::with(["human", "human"], "-", Side::P2.into());
    let ann = case.join("Ann", Role::Host);
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    case.play(&ann, "a1");
    case.ask(&bob, TableCommand::Resign);
    case.ask(&bob, TableCommand::Rematch);
    assert!(case.table.over.is_some(), "it is proposed");
    case.ask(&ann, TableCommand::Decline);
    case.ask(&bob, TableCommand::Rematch);
    case.ask(&ann, TableCommand::Accept);
    case.forget(&[&ann, &bob]);
    case.play(&bob, "b1");
    assert_eq!(case.moves(), "b1");
}

#[test]
fn a_limit_holds_for_the_one_move_of_an_engine() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    let go = |limit: &str| TableCommand::Go {
        limit: Some(limit.parse().expect("a limit")),
    };
    assert_eq!(
        case.ask(&ann, go("-")),
        ["refused: a search without a limit: expected one that ends"]
    );
    case.ask(&ann, go("tc=7"));
    case.poll();
    assert_eq!(
        case.ask(&ann, TableCommand::Clock),
        ["clocks 7 -1", "done"],
        "the limit that was given"
    );
    case.says("helper", Ok(best_move("a1")));
    assert_eq!(case.ask(&ann, TableCommand::Clock)[0], "clocks -1 -1");
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.ask(&ann, TableCommand::Back { n: 0 });
    assert_eq!(
        case.ask(&ann, go("nodes=1")),
        ["refused: an engine in its own seat has a limit: expected no other"]
    );
}

#[test]
fn an_illegal_move_of_a_stand_in_costs_the_person_nothing() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("helper", Ok(best_move("z9")));
    let told = ann.events();
    assert!(told[0].contains("made an illegal move: z9"), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("turn of p1"));
    assert_eq!(case.moves(), "");
}

#[test]
fn a_level_is_told_to_engines() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.told("Bot");
    assert_eq!(
        case.ask(
            &ann,
            TableCommand::SetLevel {
                level: LevelChoice::Fixed(21)
            }
        ),
        ["refused: level 21: expected 0 to 20"]
    );
    assert_eq!(
        case.ask(
            &ann,
            TableCommand::SetLevel {
                level: LevelChoice::Fixed(5)
            }
        ),
        ["level 5", "done"]
    );
    assert_eq!(case.told("Bot"), ["Skill Level=5"]);
}

#[test]
fn a_reopened_ledger_keeps_the_last_level() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    let level = |level| TableCommand::SetLevel {
        level: LevelChoice::Fixed(level),
    };
    // Chosen before and after the ledger is created.
    case.ask(&ann, level(2));
    case.play(&ann, "a1");
    let mut case = case.resumed();
    assert_eq!(case.table.level, Some(2));
    let ann = case.join("Ann", Role::Host);
    case.ask(&ann, level(7));
    let mut case = case.resumed();
    assert_eq!(case.table.level, Some(7));
    // A seat that is given away later has its own level.
    let ann = case.join("Ann", Role::Host);
    case.ask(&ann, set_seat("Box", "depth=3", false));
    let case = case.resumed();
    assert_eq!(case.table.level, None);
}

#[test]
fn a_level_is_set_in_all_engines_or_in_none() {
    let mut case = Case::with(["Bot", "Box"], "depth=3", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.scripts.of("Box").lock().has_no_options = true;
    case.told("Bot");
    assert_eq!(
        case.ask(
            &ann,
            TableCommand::SetLevel {
                level: LevelChoice::Fixed(5)
            }
        ),
        ["refused: Box has no option Skill Level"]
    );
    assert_eq!(case.told("Bot"), [""; 0]);
    assert_eq!(case.table.level, None);
}

fn set_seat(player: &str, limit: &str, guest: bool) -> TableCommand {
    TableCommand::SetSeat {
        seat: Side::P2.into(),
        player: Box::new(spec(player, limit)),
        guest,
    }
}

#[test]
fn another_engine_takes_a_seat_in_the_course_of_the_game() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    assert_eq!(
        case.told("Bot").last().map(String::as_str),
        Some("position startpos moves d4")
    );
    assert_eq!(
        case.ask(&ann, set_seat("Bot", "depth=5", false)),
        ["p2: Engine Host", "p2 thinks", "done"]
    );
    case.poll();
    assert_eq!(
        case.told("Bot"),
        ["give up", "position startpos moves d4"],
        "the same process goes on"
    );
    let TableCommand::SetSeat { mut player, .. } = set_seat("Box", "depth=5", false) else {
        panic!("a seat")
    };
    player
        .options
        .push(("Hash".to_owned(), Some("1".to_owned())));
    let (seat, guest) = (Side::P2.into(), false);
    case.ask(
        &ann,
        TableCommand::SetSeat {
            seat,
            player,
            guest,
        },
    );
    case.poll();
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(case.moves(), "d4", "the former engine is not heard");
    assert_eq!(case.told("Box"), ["begin", "position startpos moves d4"]);
    case.says("Box", Ok(best_move("c2")));
    assert_eq!(case.moves(), "d4 c2");
    assert_eq!(case.table.seat(Side::P2).name(), "Box");
    let mut case = case.resumed();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(case.table.seat(Side::P2).name(), "Box");
    case.play(&ann, "a1");
    case.poll();
    case.says("Box", Ok(best_move("a1")));
    assert!(!case.told("Box").is_empty(), "{}", case.moves());
}

#[test]
fn a_person_or_a_guest_takes_an_engine_s_seat() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    ann.events();
    assert_eq!(
        case.ask(&ann, set_seat("human", "tc=60+1", false)),
        ["p2: Person Host", "turn of p1", "done"]
    );
    assert_eq!(
        case.ask(&ann, TableCommand::Clock),
        ["clocks -1 60", "done"]
    );
    case.play(&ann, "d4");
    case.play(&ann, "c1");
    assert_eq!(case.moves(), "d4 c1");
    case.ask(&ann, set_seat("human", "-", true));
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    assert_eq!(bob.events()[0], "welcome Player(SideSet([false, true]))");
    assert_eq!(
        case.ask(&ann, set_seat("Bot", "depth=3", false)),
        ["refused: p2 is the seat of a guest, who is connected"]
    );
    assert_eq!(
        case.ask(&bob, set_seat("Bot", "depth=3", false)),
        ["refused: set-seat: only the host may"]
    );
    case.ask(&bob, TableCommand::Leave);
    assert_eq!(
        case.ask(&ann, set_seat("Bot", "depth=3", true)),
        ["refused: an engine in a guest's seat: expected a person"]
    );
    case.ask(&ann, set_seat("Bot", "depth=3", false));
    assert_eq!(
        case.table.autos(),
        [SideAuto::All(false), SideAuto::All(true)]
    );
}

/// Ratings in memory.
#[derive(Debug, Default)]
struct KnownRatings {
    by_game: Mutex<HashMap<String, Rating>>,
    is_broken: AtomicBool,
}

impl Ratings for KnownRatings {
    fn load(&self, game: &str) -> io::Result<Option<Rating>> {
        Ok(self.by_game.lock().get(game).copied())
    }

    fn store(&self, game: &str, rating: Option<Rating>) -> io::Result<()> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(io::Error::other("the disk is full"));
        }
        let mut ratings = self.by_game.lock();
        match rating {
            Some(rating) => ratings.insert(game.to_owned(), rating),
            None => ratings.remove(game),
        };
        Ok(())
    }
}

/// A table with an adaptive level, its host and the ratings.
fn adaptive() -> (Case, Visitor, Arc<KnownRatings>) {
    let ratings = Arc::new(KnownRatings::default());
    let mut case = Case::against_engine();
    case.table.ratings = Some(Arc::clone(&ratings) as Arc<dyn Ratings>);
    let ann = case.join("Ann", Role::Host);
    let level = LevelChoice::ADAPTIVE;
    let told = case.ask(&ann, TableCommand::SetLevel { level });
    assert_eq!(told, ["adaptive level 3", "done"]);
    case.told("Bot");
    (case, ann, ratings)
}

fn levels(told: &[String]) -> Vec<&str> {
    let told = told.iter().map(String::as_str);
    told.filter(|line| line.starts_with("adaptive level"))
        .collect()
}

#[test]
fn an_adaptive_level_follows_the_results() {
    let (mut case, ann, ratings) = adaptive();
    // A game without a move does not count.
    case.ask(&ann, TableCommand::Resign);
    case.ask(
        &ann,
        TableCommand::New {
            opening: None,
            lines: Vec::new(),
        },
    );
    assert!(ratings.by_game.lock().is_empty());
    case.play(&ann, "a1");
    let told = case.ask(&ann, TableCommand::Resign);
    assert_eq!(levels(&told), ["adaptive level 0"]);
    assert!(case.told("Bot").contains(&"Skill Level=0".to_owned()));
    assert_eq!(ratings.by_game.lock()["nim"].games, 1);
    // A game counts once, even if it is continued and ends again.
    case.ask(&ann, TableCommand::Undo);
    case.ask(&ann, TableCommand::Resign);
    assert_eq!(ratings.by_game.lock()["nim"].games, 1);
    case.ask(
        &ann,
        TableCommand::New {
            opening: None,
            lines: Vec::new(),
        },
    );
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::Resign);
    assert_eq!(ratings.by_game.lock()["nim"].games, 2);

    let told = case.ask(&ann, TableCommand::ForgetResults);
    assert_eq!(levels(&told), ["adaptive level 3"]);
    assert!(ratings.by_game.lock().is_empty());
    // A fixed level follows nothing.
    let level = LevelChoice::Fixed(4);
    case.ask(&ann, TableCommand::SetLevel { level });
    case.ask(
        &ann,
        TableCommand::New {
            opening: None,
            lines: Vec::new(),
        },
    );
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::Resign);
    assert!(ratings.by_game.lock().is_empty());
}

#[test]
fn a_game_in_which_the_engine_moved_for_the_person_does_not_count() {
    let (mut case, ann, ratings) = adaptive();
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("helper", Ok(best_move("a1")));
    case.ask(&ann, TableCommand::Resign);
    assert!(case.table.over.is_some());
    assert!(ratings.by_game.lock().is_empty());
}

/// Its strength is not that of the level.
#[test]
fn a_game_against_an_engine_that_learns_does_not_count() {
    let (mut case, ann, ratings) = adaptive();
    let bot = &mut case.table.seats[1][0].spec;
    bot.set("Learn", "weights".to_owned());
    case.play(&ann, "a1");
    case.ask(&ann, TableCommand::Resign);
    assert!(case.table.over.is_some());
    assert!(ratings.by_game.lock().is_empty());
}

/// Its position may be won for a side, as that of a puzzle.
#[test]
fn a_game_from_another_position_does_not_count() {
    let (mut case, ann, ratings) = adaptive();
    let opening = Some(Opening::parse("startpos moves a1"));
    let lines = Vec::new();
    case.ask(&ann, TableCommand::New { opening, lines });
    case.poll();
    case.says("Bot", Ok(best_move("c1")));
    case.play(&ann, "d4");
    case.ask(&ann, TableCommand::Resign);
    assert!(case.table.over.is_some());
    assert!(ratings.by_game.lock().is_empty());
}

#[test]
fn a_level_replaces_a_strength_by_elo() {
    let mut case = Case::against_engine();
    let bot = &mut case.table.seats[1][0].spec;
    bot.set("Skill Level", "3".to_owned());
    bot.set("UCI_LimitStrength", "TRUE".to_owned());
    bot.set("UCI_Elo", "760".to_owned());
    let shown = |case: &Case| {
        let seats = case.table.seats.iter().flatten();
        level(seats, &case.table.helper, Ladder::UNMEASURED)
    };
    assert_eq!(shown(&case), Some(10), "the nearest one");
    let ann = case.join("Ann", Role::Host);
    let choice = LevelChoice::Fixed(5);
    case.ask(&ann, TableCommand::SetLevel { level: choice });
    let told = case.told("Bot");
    for option in ["UCI_LimitStrength=false", "Skill Level=5"] {
        assert!(told.contains(&option.to_owned()), "{told:?}");
    }
    assert_eq!(shown(&case), Some(5));
}

#[test]
fn an_adaptive_level_ends_if_results_cannot_be_stored() {
    let (mut case, ann, ratings) = adaptive();
    ratings.is_broken.store(true, Ordering::Relaxed);
    case.play(&ann, "a1");
    let told = case.ask(&ann, TableCommand::Resign);
    assert!(
        told.iter().any(|line| line.contains("the disk is full")),
        "{told:?}"
    );
    assert!(case.table.over.is_some() && !case.table.is_adaptive);
}

/// A table with a secret, whose tokens are therefore the same after it is resumed.
fn with_secret(mut case: Case) -> Case {
    case.table.secret = Some(Secret::new([7; Secret::BYTES]));
    case.table.plan.id = "1".to_owned();
    case
}

fn returns(case: &mut Case, token: &str) -> Visitor {
    let any = Role::Player(SideSet::NONE);
    case.join_with("Bob", any, Some(token.to_owned()), 99)
}

const NO_SEAT: &str = "refused: no seat is reserved for this token";

#[test]
fn a_token_is_valid_after_the_table_is_resumed() {
    let mut case = with_secret(Case::with_partners([&["human"], &["human"]], "-", &["p2"]));
    let ann = case.join("Ann", Role::Host);
    let token = case.join("Bob", Role::Player(SideSet::NONE)).token();
    assert_eq!(token.len(), 10);
    case.play(&ann, "a1");
    let mut without_secret = case.resumed();
    assert_eq!(returns(&mut without_secret, &token).events(), [NO_SEAT]);
    let mut later = with_secret(without_secret.resumed());
    assert_eq!(returns(&mut later, "abcdefghij").events(), [NO_SEAT]);
    assert_eq!(returns(&mut later, &token).token(), token);
}

#[test]
fn a_removed_guest_cannot_return_by_the_token() {
    let mut case = with_secret(Case::with(["human", "human"], "-", Side::P2.into()));
    let ann = case.join("Ann", Role::Host);
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    let token = bob.token();
    case.play(&ann, "a1");
    let kick = |client: &Visitor| TableCommand::Kick { client: client.id };
    assert_eq!(
        case.ask(&ann, kick(&ann)),
        ["refused: kick: the host stays"]
    );
    ann.events();
    case.ask(&ann, kick(&bob));
    assert_eq!(
        bob.events().last().map(String::as_str),
        Some("removed: the host removed you false")
    );
    assert_eq!(returns(&mut case, &token).events(), [NO_SEAT]);
    let cid = case.join("Cid", Role::Player(SideSet::NONE));
    let new = cid.token();
    assert_ne!(new, token);
    let mut later = with_secret(case.resumed());
    assert_eq!(returns(&mut later, &token).events(), [NO_SEAT]);
    assert_eq!(returns(&mut later, &new).token(), new);
}

#[test]
fn guests_choose_seats_and_names() {
    let sides: [&[&str]; 2] = [&["human"], &["human", "human"]];
    let mut case = Case::with_partners(sides, "-", &["p2", "p2.2"]);
    let wish = |name: &str, seat: Option<&str>| JoinWish {
        names_seats: true,
        seat: seat.map(|seat| seat.parse().expect("a seat")),
        ..JoinWish::new(name, Role::Player(Side::P2.into()))
    };
    let dan = case.join_as(wish("Dan", Some("p2.2")), 99);
    assert!(!dan.token().is_empty());
    let eve = case.join_as(wish("Eve", Some("p2.2")), 99);
    let why = "refused: the seat is taken, or not reserved for a guest: join to watch";
    assert_eq!(eve.events(), [why]);
    // A name that is taken gets a number.
    case.join_as(wish("Dan", None), 99).token();
    let partners = case.table.seat_info(Side::P2).partners;
    let names: Vec<&str> = partners.iter().map(|seat| seat.name.as_str()).collect();
    assert_eq!(names, ["Dan #2", "Dan"]);
}

#[test]
fn a_game_of_partners_refuses_help_until_it_is_over() {
    let mut case = Case::with_partners([&["human"], &["human", "human"]], "-", &[]);
    let ann = case.join("Ann", Role::Host);
    let asks = || {
        [
            TableCommand::Hint,
            TableCommand::Eval,
            TableCommand::Analyse {
                node: None,
                lines: None,
                seconds: None,
            },
            TableCommand::Review { seconds: 1.0 },
        ]
    };
    case.play(&ann, "a1");
    ann.events();
    for command in asks() {
        let why = format!(
            "refused: {}: this game is played without hints and analysis",
            command.word()
        );
        assert_eq!(case.ask(&ann, command), [why]);
    }
    case.ask(&ann, TableCommand::Resign);
    let review = TableCommand::Review { seconds: 0.01 };
    let answers = case.ask(&ann, review);
    assert!(
        answers
            .iter()
            .all(|answer| !answer.contains("without hints")),
        "{answers:?}"
    );
}

/// A guest at a socket has no token: the password leads back to the seat, by the guest's name if it is told.
#[test]
fn a_left_seat_is_found_by_name_without_a_token() {
    let sides: [&[&str]; 2] = [&["human"], &["human", "human", "human"]];
    let mut case = Case::with_partners(sides, "-", &["p2", "p2.2", "p2.3"]);
    let p2 = Role::Player(Side::P2.into());
    let wish = |name: &str| JoinWish {
        names_seats: true,
        takes_left_seats: true,
        ..JoinWish::new(name, p2)
    };
    let seat_of = |case: &Case, who: &Visitor| {
        let partners = case.table.seat_info(Side::P2).partners;
        let index = partners.iter().position(|seat| seat.client == Some(who.id));
        index.expect("a seat")
    };
    let [bob, dan] = ["Bob", "Dan"].map(|name| case.join_as(wish(name), 99));
    for guest in [&bob, &dan] {
        case.ask(guest, TableCommand::Leave);
    }
    let dan = case.join_as(wish("Dan"), 99);
    assert_eq!(seat_of(&case, &dan), 1);
    let eve = case.join_as(wish("Eve"), 99);
    assert_eq!(seat_of(&case, &eve), 2, "nobody has taken it");
    let unnamed = JoinWish {
        names_seats: false,
        ..wish("guest 5")
    };
    let bob = case.join_as(unnamed.clone(), 99);
    assert_eq!(seat_of(&case, &bob), 0);
    let why = "refused: the seat is taken, or not reserved for a guest: join to watch";
    assert_eq!(case.join_as(unnamed, 99).events(), [why]);
    // Without the password, a left seat needs its token.
    case.ask(&bob, TableCommand::Leave);
    assert_eq!(case.join("Bob", p2).events(), [why]);
}
