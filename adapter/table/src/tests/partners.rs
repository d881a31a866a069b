//! Partners who take turns on a side.

use kit::Side;
use record::event::Event;
use record::table::{Role, SeatId, SideSet, TableEvent};
use referee::client::Fault;

use super::case::{Case, Visitor, best_move, spec};
use crate::client_game::ClientGame;
use crate::record_testing::rules;
use crate::request::TableCommand;

/// Ann (the host) and Cid play p1, Bob and Dan p2; `people` is in alphabetical order.
struct Four {
    case: Case,
    people: [Visitor; 4],
    watcher: Visitor,
}

const SIDES: [&[&str]; 2] = [&["human Ann", "human Cid"], &["human Bob", "human Dan"]];

impl Four {
    fn new(limit: &str) -> Four {
        Four::at(Case::with_partners(SIDES, limit, &["p1.2", "p2", "p2.2"]))
    }

    /// The four people join this table.
    fn at(mut case: Case) -> Four {
        let ann = case.join("host", Role::Host);
        let bob = case.join("guest 1", Role::Player(Side::P2.into()));
        let cid = case.join("guest 2", Role::Player(SideSet::NONE));
        let dan = case.join("guest 3", Role::Player(SideSet::NONE));
        let people = [ann, bob, cid, dan];
        let watcher = case.join("Eve", Role::Spectator);
        case.forget(&people.each_ref());
        Four {
            case,
            people,
            watcher,
        }
    }

    fn ask(&mut self, name: &str, command: TableCommand) -> Vec<String> {
        self.case.ask(&self.people[place(name)], command)
    }

    fn play(&mut self, name: &str, code: &str) -> Vec<String> {
        self.case.play(&self.people[place(name)], code)
    }

    /// The player to move in the last `turn` event.
    fn told_turn(&self) -> Option<String> {
        let turn = |event| match event {
            Event::Table(TableEvent::Turn { player, .. }) => Some(player),
            _ => None,
        };
        let told = self.watcher.events.try_iter().filter_map(turn);
        told.last().flatten()
    }
}

fn place(name: &str) -> usize {
    let names = ["Ann", "Bob", "Cid", "Dan"];
    names
        .iter()
        .position(|known| *known == name)
        .expect("one of the four")
}

fn refusal(why: &str) -> Vec<String> {
    vec![format!("refused: {why}")]
}

#[test]
fn partners_take_turns_to_the_end_of_the_game() {
    let mut four = Four::new("-");
    let moves = [
        ("Ann", "a1"),
        ("Bob", "b1"),
        ("Cid", "b1"),
        ("Dan", "c3"),
        ("Ann", "d3"),
    ];
    for (name, code) in moves {
        for other in ["Ann", "Bob", "Cid", "Dan"]
            .iter()
            .filter(|other| **other != name)
        {
            let side = if ["Ann", "Cid"].contains(&name) {
                "p1"
            } else {
                "p2"
            };
            let wait = format!("{name} ({side}) is to move: wait");
            assert_eq!(four.play(other, code), refusal(&wait));
        }
        assert_eq!(
            four.play(name, code).last().map(String::as_str),
            Some("done")
        );
    }
    assert_eq!(four.told_turn().as_deref(), Some("Bob"));
    let end = four.play("Bob", "d1");
    assert_eq!(end[1], "over: 0-1 {p2 wins: it took the last stone}");
    let ledger = four.case.ledger();
    let record = ledger.lines().last().expect("a record");
    assert!(
        record.contains(r#""p1":"Ann+Cid","p2":"Bob+Dan""#),
        "{record}"
    );
    let by: Vec<&str> = record
        .split(r#""by":""#)
        .skip(1)
        .map(|rest| &rest[..3])
        .collect();
    assert_eq!(by, ["Ann", "Bob", "Cid", "Dan", "Ann", "Bob"]);
    assert!(
        ledger
            .lines()
            .next()
            .is_some_and(|plan| plan.contains(r#""teams":[[0,1],[2,3]]"#))
    );
}

#[test]
fn a_move_that_is_taken_back_gives_its_player_the_turn() {
    let mut four = Four::new("-");
    for (name, code) in [("Ann", "a1"), ("Bob", "b1"), ("Cid", "b1")] {
        four.play(name, code);
    }
    // Dan has not moved yet.
    assert_eq!(
        four.ask("Dan", TableCommand::Undo),
        refusal("there is no move to take back")
    );
    assert_eq!(
        four.ask("Bob", TableCommand::Undo),
        ["guest 1 proposes move 1", "done"]
    );
    assert_eq!(
        four.ask("Dan", TableCommand::Accept),
        refusal("there is no proposal to accept"),
        "the other side answers"
    );
    let answers = four.ask("Cid", TableCommand::Accept);
    assert_eq!(
        answers,
        ["accepted", "went to 1", "turn of p2", "done"],
        "either partner may"
    );
    assert_eq!(four.told_turn().as_deref(), Some("Bob"));
    assert_eq!(four.play("Dan", "c1"), refusal("Bob (p2) is to move: wait"));
    four.play("Bob", "c1");
    assert_eq!(four.told_turn().as_deref(), Some("Cid"));
    // On the old branch, the order of turns is the same.
    four.ask(
        "Ann",
        TableCommand::GoTo {
            node: record::table::NodeId(3),
        },
    );
    four.ask("Dan", TableCommand::Accept);
    assert_eq!(four.told_turn().as_deref(), Some("Dan"));
    assert_eq!(four.case.moves(), "a1 b1 b1");
}

#[test]
fn who_sits_on_both_sides_asks_both_partners() {
    let mut case = Case::with_partners(SIDES, "-", &["p1.2", "p2.2"]);
    let host = case.join("host", Role::Host);
    let cid = case.join("Cid", Role::Player(Side::P1.into()));
    let dan = case.join("Dan", Role::Player(Side::P2.into()));
    case.play(&host, "a1");
    assert_eq!(
        case.ask(&host, TableCommand::Undo),
        ["host proposes move 0", "done"]
    );
    let nobody = refusal("there is no proposal to accept");
    assert_eq!(
        case.ask(&host, TableCommand::Accept),
        nobody,
        "it is his own"
    );
    case.ask(&cid, TableCommand::Accept);
    assert_eq!(case.moves(), "a1", "Dan has not answered");
    case.ask(&dan, TableCommand::Accept);
    assert_eq!(case.moves(), "");
}

#[test]
fn a_client_knows_whether_it_is_his_turn_between_two_events() {
    let mut four = Four::new("-");
    let dan = four.people[place("Dan")].clone();
    four.case.send(&dan, TableCommand::Snapshot);
    let snapshot = |event| match event {
        Event::Table(TableEvent::Snapshot(snapshot)) => Some(*snapshot),
        _ => None,
    };
    let snapshot = dan.events.try_iter().find_map(snapshot);
    let game = ClientGame::new(rules(), snapshot.expect("he asked for it"));
    let mut game = game.expect("a sound snapshot");
    for (name, code) in [("Ann", "a1"), ("Bob", "b1"), ("Cid", "b1")] {
        four.play(name, code);
    }
    let may_move: Vec<bool> = dan
        .events
        .try_iter()
        .map(|event| {
            game.update(&event).expect("a legal move");
            game.may_move()
        })
        .collect();
    // After `done`, there are three pairs of `move-played` and `turn`.
    assert_eq!(may_move, [false, false, false, false, false, false, true]);
}

#[test]
fn partners_may_not_talk_while_the_game_runs() {
    let mut four = Four::new("-");
    let say = || TableCommand::Say {
        text: "hm".to_owned(),
    };
    let eve = four.watcher.clone();
    assert_eq!(four.case.ask(&eve, say()), ["Eve: hm", "done"]);
    for name in ["Ann", "Bob", "Cid", "Dan"] {
        let why = "say: partners may not chat while the game runs";
        assert_eq!(four.ask(name, say()), refusal(why));
    }
    let end = four.ask("Dan", TableCommand::Resign);
    assert_eq!(end[0], "over: 1-0 {Dan resigns}");
    assert_eq!(four.ask("Cid", say()), ["guest 2: hm", "done"]);
}

#[test]
fn who_has_no_partner_may_talk() {
    let sides: [&[&str]; 2] = [&["human Ann", "Bot"], &["human Bob", "human Dan"]];
    let mut case = Case::with_partners(sides, "-", &["p2", "p2.2"]);
    let ann = case.join("host", Role::Host);
    let bob = case.join("guest 1", Role::Player(SideSet::NONE));
    let say = || TableCommand::Say {
        text: "hm".to_owned(),
    };
    assert_eq!(
        case.ask(&ann, say()),
        ["host: hm", "done"],
        "an engine hears nothing"
    );
    assert_eq!(case.ask(&bob, say()).len(), 1, "Dan's seat waits for him");
}

#[test]
fn a_side_has_one_clock() {
    let mut four = Four::new("tc=60");
    for (name, code, ms) in [
        ("Ann", "a1", 10_000),
        ("Bob", "b1", 5_000),
        ("Cid", "b1", 20_000),
    ] {
        four.case.wait(ms);
        four.play(name, code);
    }
    assert_eq!(
        four.ask("Ann", TableCommand::Clock),
        ["clocks 30 55", "done"]
    );
    four.ask("Cid", TableCommand::Undo);
    four.ask("Bob", TableCommand::Accept);
    assert_eq!(
        four.ask("Ann", TableCommand::Clock),
        ["clocks 50 55", "done"]
    );
    four.people[3].events();
    four.case.wait(50_001);
    let end = &four.people[3].events()[0];
    assert_eq!(end, "over: 0-1 {Cid loses on time: 50.001 s}");
}

#[test]
fn a_resumed_game_has_all_partners() {
    let mut four = Four::new("-");
    for (name, code) in [("Ann", "a1"), ("Bob", "b1"), ("Cid", "b1")] {
        four.play(name, code);
    }
    assert!(
        four.case
            .ledger()
            .contains(r#"{"seats":["p1.2","p2","p2.2"]"#)
    );
    let mut four = Four::at(four.case.resumed());
    assert_eq!(four.play("Bob", "c1"), refusal("Dan (p2) is to move: wait"));
    four.play("Dan", "c1");
    assert_eq!(four.told_turn().as_deref(), Some("Ann"));
}

#[test]
fn a_guest_takes_a_free_seat_and_comes_back_to_it() {
    let mut case = Case::with_partners(SIDES, "-", &["p2", "p2.2"]);
    let join = |case: &mut Case| case.join("guest", Role::Player(Side::P2.into()));
    let (bob, dan, eve) = (join(&mut case), join(&mut case), join(&mut case));
    let why = "the seat is taken, or not reserved for a guest: join to watch";
    assert_eq!(eve.events(), refusal(why));
    let token = dan.token();
    case.ask(&dan, TableCommand::Leave);
    let names = |case: &Case| {
        let info = case.table.seat_info(Side::P2);
        info.partners
            .into_iter()
            .map(|seat| (seat.name, seat.client))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&case),
        [("Bob".to_owned(), Some(bob.id)), ("Dan".to_owned(), None)]
    );
    let dan = case.join_with("guest", Role::Player(SideSet::NONE), Some(token), 99);
    assert_eq!(names(&case)[1], ("Dan".to_owned(), Some(dan.id)));
}

/// Ann and an engine play p1, Bob plays p2; both people use the host's console.
fn person_and_engine() -> (Case, Visitor) {
    let sides: [&[&str]; 2] = [&["human Ann", "Bot"], &["human Bob"]];
    let mut case = Case::with_partners(sides, "-", &[]);
    let host = case.join("host", Role::Host);
    case.play(&host, "a1");
    case.play(&host, "b1");
    case.poll();
    (case, host)
}

#[test]
fn a_person_and_an_engine_are_partners() {
    let (mut case, host) = person_and_engine();
    assert_eq!(
        case.told("Bot"),
        ["start", "begin", "position startpos moves a1 b1"]
    );
    assert_eq!(
        case.play(&host, "b1"),
        refusal("Bot (p1), an engine, is to move: wait")
    );
    case.says("Bot", Ok(best_move("b1")));
    case.play(&host, "c1");
    assert_eq!(case.told("Bot"), [""; 0], "Ann is to move");
    case.play(&host, "c1");
    case.ask(&host, TableCommand::Undo);
    assert_eq!(case.moves(), "a1 b1 b1 c1");
    let info = case.table.seat_info(Side::P1);
    assert_eq!((info.name.as_str(), info.partners.len()), ("Ann+Bot", 2));
    // `set-auto` gives engines all seats of a side or none.
    case.ask(
        &host,
        TableCommand::SetAuto {
            sides: Side::P1.into(),
        },
    );
    case.poll();
    assert_eq!(
        case.told("helper"),
        ["begin", "position startpos moves a1 b1 b1 c1"]
    );
    assert!(
        case.ledger().contains(r#"{"auto":[true,false]}"#),
        "{}",
        case.ledger()
    );
}

#[test]
fn a_partner_s_fault_is_his_own() {
    let (mut case, host) = person_and_engine();
    host.events();
    case.says("Bot", Err(Fault::Unreadable("bestmove".to_owned())));
    let end = &host.events()[0];
    assert!(end.starts_with("over: 0-1 {Bot "), "{end}");
}

#[test]
fn another_player_takes_a_partner_s_seat() {
    let (mut case, host) = person_and_engine();
    let seat: SeatId = "p1.2".parse().expect("a seat");
    let set = |seat: SeatId, words: &str| TableCommand::SetSeat {
        seat,
        player: Box::new(spec(words, "-")),
        guest: false,
    };
    let wrong = "p2.2".parse().expect("a seat");
    assert_eq!(
        case.ask(&host, set(wrong, "human Cid")),
        refusal("there is no seat p2.2: expected an existing one")
    );
    case.ask(&host, set(seat, "human Cid"));
    case.play(&host, "b1");
    let mut case = case.resumed();
    assert_eq!(case.table.player_name(Side::P1), "Ann+Cid");
    let host = case.join("host", Role::Host);
    case.ask(&host, TableCommand::Resign);
    assert!(case.ledger().contains(r#""by":"Cid""#));
    assert!(case.ledger().contains(r#""p1":"Ann+Cid","p2":"Bob""#));
}
