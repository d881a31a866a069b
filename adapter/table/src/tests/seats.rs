//! Seats and permissions.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::model::{Role, SeatPlayer, SideAuto, SideSet};
use crate::token::Secret;
use kit::Side;
use kit::search::Ladder;
use record::opening::Opening;
use referee::engine::EngineEvent;

use parking_lot::Mutex;

use super::case::{Case, Visitor, best_move, spec};
use crate::level::LevelChoice;
use crate::level::level;
use crate::level::{Rating, Ratings};
use crate::model::TableCommand;
use crate::session::JoinWish;

#[test]
fn a_spectator_watches_and_talks() {
    let (mut case, ..) = Case::two_people();
    case.talk("spectator Eve joins / Eve hears ..");
    for words in ["play a1", "undo", "resign", "hint", "move-now", "accept"] {
        let word = words.split(' ').next().unwrap_or_default();
        let why = "You are watching. Only players can use";
        case.talk(&format!("Eve: {words} => refused: {why} {word}."));
    }
    case.talk(
        "Eve: quit => refused: Only the host can use quit.
        Ann plays a1 / Eve hears p1 plays a1 | turn of p2
        Ann hears .. / Eve: say hi => Eve: hi | done
        Ann hears Eve: hi",
    );
}

#[test]
fn a_guest_who_drops_comes_back_to_his_seat() {
    let mut case = Case::with(["human", "human"], "tc=60", Side::P2.into());
    case.table.setup.reconnect = Duration::from_secs(50);
    case.talk("host Ann joins / guest Bob joins");
    let token = case.people["Bob"].token();
    case.talk(
        "Ann plays a1 / Ann hears .. / Bob drops / Ann sends say ? / poll
        Ann hears Ann: ? | done | Bob left: connection lost | p2: Person AwayGuest | turn of p2
        wait 50000
        // no clock runs while the guest may reconnect
        Ann: clock => clocks 60 60 | done",
    );
    case.join("Eve", Role::Player(Side::P2.into()));
    case.talk(
        "Eve hears refused: This seat is taken, or not kept for a guest. You can join to watch.",
    );
    case.join_with("Eve", Role::Player(SideSet::NONE), Some("0".into()), 9);
    case.talk(
        "Eve hears refused: This seat is no longer kept for you. Ask the host for a new link.
        wait 10000",
    );
    let back = |case: &mut Case| {
        let token = Some(token.clone());
        case.join_with("Bob", Role::Player(SideSet::NONE), token, 99);
    };
    back(&mut case);
    case.talk(
        "Bob hears welcome Player(SideSet([false, true])) | ..
        // then it runs on
        Bob: clock => clocks 60 50 | done
        Bob: leave / wait 10000",
    );
    back(&mut case);
    case.talk(
        "// the time to reconnect is that of the whole game
        Bob: clock => clocks 60 40 | ..
        Bob plays b1 / moves a1 b1",
    );
}

#[test]
fn a_guest_who_leaves_loses_on_time_and_the_opponent_may_claim_before() {
    let leave = |limit: &str| {
        let (mut case, ..) = Case::two_people_with(limit);
        case.talk("Ann plays a1 / Bob: leave / Ann hears .. | Bob left: quit | ..");
        case
    };
    let mut case = leave("tc=60");
    case.talk(
        "wait 59999 / Ann: claim => refused: p2 left 59 s ago. The game can be claimed after 60 s.
        wait 1 / Ann hears over: 1-0 {p2 loses on time: 60.000 s} | ..",
    );
    for (claim, result) in [("claim", "1-0"), ("claim draw", "1/2-1/2")] {
        let mut case = leave("-");
        case.talk(&format!(
            "wait 60000 / Ann: {claim} => over: {result} {{p2 left the game}} | no turn | done"
        ));
        case.talk(r#"ledger has "termination":"abandoned""#);
    }
}

#[test]
fn a_guest_who_comes_twice_leaves_his_old_line() {
    let mut case = Case::with(["human", "human"], "-", Side::P2.into());
    let bob = case.join("Bob", Role::Player(SideSet::NONE));
    let token = bob.token();
    case.join_with("Bob", Role::Player(SideSet::NONE), Some(token), 99);
    let told = bob.events();
    let removed = "removed: the seat is now used by a newer connection true";
    assert_eq!(told.last().map(String::as_str), Some(removed));
    case.talk("host Ann joins / Ann plays a1");
    assert_eq!(case.play(&bob, "b1"), [""; 0], "he is gone");
    case.talk("Bob plays b1 / moves a1 b1");
}

#[test]
fn a_change_of_the_other_seat_charges_no_time_of_a_stand_in() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    case.talk("host Ann joins / Ann: go / poll / Ann: seat human, tc=60 / wait 50000");
    case.says("helper", Ok(best_move_after("a1", 50)));
    case.talk(
        "Ann: clock => clocks 60 60 | ..
        // Nor does a takeback, nor a reopened ledger.
        Ann plays b1 / Ann: back 1 / Ann: clock => clocks 60 60 | ..
        resume / host Ann joins / Ann: clock => clocks 60 60 | ..",
    );
}

#[test]
fn a_stand_in_that_fails_charges_no_time_to_the_person() {
    let mut case = Case::with(["human", "human"], "tc=60", SideSet::NONE);
    case.talk(
        "host Ann joins / wait 20000 / Ann: go tc=60 / wait 50000 / helper is unreadable
        Ann: clock => clocks 40 60 | ..
        Ann: go st=1 / wait 2000 / Ann hears ..",
    );
    case.says("helper", Ok(best_move_after("a1", 2)));
    case.talk(
        "Ann hears fault: helper did not move in time | ..
        Ann: clock => clocks 40 60 | ..",
    );
}

#[test]
fn a_rematch_exchanges_the_sides_of_all_players() {
    let mut case = Case::with(["human", "human"], "-", Side::P2.into());
    case.talk("host Ann joins / guest Bob joins");
    let token = case.people["Bob"].token();
    case.talk(
        "Ann plays a1
        Ann: rematch => refused: This game is not over. Finish it first.
        Bob: resign / Ann: rematch",
    );
    case.talk(
        "// It is Bob's turn.
        Ann: play a1 => refused: *
        Bob: play a1 => .. | done
        Ann: play b1 => .. | done
        // Bob's token is now that of the other side.
        Bob drops",
    );
    case.join_with("Bob", Role::Player(SideSet::NONE), Some(token), 9);
    case.talk("Bob hears .. / Bob: play b1 => .. | done");
    let name = |case: &Case, side| case.table.player_name(side);
    let names = Side::BOTH.map(|side| name(&case, side));
    let case = case.resumed();
    assert_eq!(Side::BOTH.map(|side| name(&case, side)), names);
    assert!(case.table.is_anyone_awaited(), "p1 is the guest's seat");
}

#[test]
fn a_reopened_ledger_keeps_the_last_level() {
    let mut case = Case::against_engine();
    // Chosen before and after the ledger is created.
    case.talk("host Ann joins / Ann: level 2 / Ann plays a1 / resume");
    assert_eq!(case.table.level, Some(2));
    case.talk("host Ann joins / Ann: level 7 / resume");
    assert_eq!(case.table.level, Some(7));
    // A seat that is given away later has its own level.
    case.talk("host Ann joins / Ann: seat Box, depth=3 / resume");
    assert_eq!(case.table.level, None);
}

#[test]
fn a_level_is_set_in_all_engines_or_in_none() {
    let mut case = Case::with(["Bot", "Box"], "depth=3", SideSet::NONE);
    case.scripts.of("Box").lock().has_no_options = true;
    case.talk(
        "host Ann joins / Bot is told .. / Ann: level 5 => refused: Box has no option Skill Level
        Bot is told nothing",
    );
    assert_eq!(case.table.level, None);
}

fn best_move_after(code: &str, seconds: u64) -> EngineEvent {
    let EngineEvent::Moved(mut best) = best_move(code) else {
        panic!("a move");
    };
    best.elapsed = Duration::from_secs(seconds);
    EngineEvent::Moved(best)
}

#[test]
fn another_engine_takes_a_seat_in_the_course_of_the_game() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.talk(
        "Ann plays d4 / poll / Bot is told .. | position startpos moves d4
        Ann: seat Bot, depth=5 => p2: Engine Host | p2 thinks | done
        poll
        // the same process goes on
        Bot is told give up | position startpos moves d4",
    );
    let mut player = Box::new(spec("Box", "depth=5"));
    player.set("Hash", "1".to_owned());
    let guest = false;
    let command = TableCommand::SetSeat {
        seat: Side::P2.into(),
        player: SeatPlayer { player, guest },
    };
    case.ask(&ann, command);
    case.talk(
        "// the former engine is not heard
        Bot moves c1 / moves d4
        Box is told begin | position startpos moves d4
        Box moves c2 / moves d4 c2",
    );
    assert_eq!(case.table.seat(Side::P2).name, "Box");
    case.talk("resume / host Ann joins");
    assert_eq!(case.table.seat(Side::P2).name, "Box");
    case.talk("Ann plays a1 / Box moves a1");
    assert!(!case.told("Box").is_empty(), "{}", case.moves());
}

#[test]
fn a_person_or_a_guest_takes_an_engine_s_seat() {
    let mut case = Case::against_engine();
    case.talk(
        "host Ann joins / Ann hears ..
        Ann: seat human, tc=60+1 => p2: Person Host | turn of p1 | done
        Ann: clock => clocks -1 60 | done
        Ann plays d4 c1 / moves d4 c1
        Ann: seat human, -, guest / guest Bob joins
        Bob hears welcome Player(SideSet([false, true])) | ..
        Ann: seat Bot, depth=3 => refused: p2 is the seat of a guest, who is connected. Remove this guest first.
        Bob: seat Bot, depth=3 => refused: Only the host can use set-seat.
        Bob: leave
        Ann: seat Bot, depth=3, guest => refused: A guest's seat is for a person, not for an engine.
        Ann: seat Bot, depth=3",
    );
    let autos = [SideAuto::All(false), SideAuto::All(true)];
    assert_eq!(case.table.autos(), autos);
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
    case.table.setup.ratings = Some(Arc::clone(&ratings) as Arc<dyn Ratings>);
    let ann = case.join("Ann", Role::Host);
    let level = LevelChoice::Adaptive;
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
    case.talk("Ann: resign / Ann: new");
    assert!(ratings.by_game.lock().is_empty());
    case.play(&ann, "a1");
    let told = case.ask(&ann, TableCommand::Resign);
    assert_eq!(levels(&told), ["adaptive level 0"]);
    case.talk("Bot is told .. | Skill Level=0 | ..");
    assert_eq!(ratings.by_game.lock()["nim"].games, 1);
    // A game counts once, even if it is continued and ends again.
    case.talk("Ann: undo / Ann: resign");
    assert_eq!(ratings.by_game.lock()["nim"].games, 1);
    case.talk("Ann: new / Ann plays a1 / Ann: resign");
    assert_eq!(ratings.by_game.lock()["nim"].games, 2);

    let told = case.ask(&ann, TableCommand::ForgetResults);
    assert_eq!(levels(&told), ["adaptive level 3"]);
    assert!(ratings.by_game.lock().is_empty());
    // A fixed level follows nothing.
    case.talk("Ann: level 4 / Ann: new / Ann plays a1 / Ann: resign");
    assert!(ratings.by_game.lock().is_empty());
}

/// The engine moved for the person; its strength is not that of the level; its position may be won for a side.
#[test]
fn some_games_do_not_count() {
    let learns = |case: &mut Case, _: &Visitor| {
        let bot = &mut case.table.seats[1][0].spec;
        bot.set("Learn", "weights".to_owned());
    };
    let begins_later = |case: &mut Case, ann: &Visitor| {
        let opening = Some(Opening::parse("startpos moves a1"));
        let lines = Vec::new();
        let auto = None;
        let new = TableCommand::New {
            opening,
            lines,
            auto,
        };
        case.ask(ann, new);
    };
    type Change = fn(&mut Case, &Visitor);
    let cases: [(Change, &str); 3] = [
        (|_, _| {}, "Ann: go / helper moves a1"),
        (learns, "Ann plays a1"),
        (begins_later, "Bot moves c1 / Ann plays d4"),
    ];
    for (change, moves) in cases {
        let (mut case, ann, ratings) = adaptive();
        change(&mut case, &ann);
        case.talk(&format!("{moves} / Ann: resign / the game is over"));
        assert!(ratings.by_game.lock().is_empty(), "{moves}");
    }
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
        level(seats, &case.table.setup.helper, Ladder::UNMEASURED)
    };
    assert_eq!(shown(&case), Some(10), "the nearest one");
    case.talk("host Ann joins / Ann: level 5");
    let told = case.told("Bot");
    for option in ["UCI_LimitStrength=false", "Skill Level=5"] {
        assert!(told.contains(&option.to_owned()), "{told:?}");
    }
    assert_eq!(shown(&case), Some(5));
}

#[test]
fn an_adaptive_level_ends_if_results_cannot_be_stored() {
    let (mut case, _, ratings) = adaptive();
    ratings.is_broken.store(true, Ordering::Relaxed);
    case.talk("Ann plays a1 / Ann: resign => .. | *the disk is full* | ..");
    assert!(case.table.over.is_some() && !case.table.is_adaptive);
}

/// A table with a secret, whose tokens are therefore the same after it is resumed.
fn with_secret(mut case: Case) -> Case {
    case.table.setup.secret = Some(Secret::new([7; Secret::BYTES]));
    case.table.setup.plan.id = "1".to_owned();
    case
}

fn returns(case: &mut Case, token: &str) -> Visitor {
    let any = Role::Player(SideSet::NONE);
    case.join_with("Bob", any, Some(token.to_owned()), 99)
}

const NO_SEAT: &str = "refused: This seat is no longer kept for you. Ask the host for a new link.";

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
    let expected = ["refused: The host cannot be removed."];
    assert_eq!(case.ask(&ann, kick(&ann)), expected);
    ann.events();
    case.ask(&ann, kick(&bob));
    case.talk("Bob hears .. | removed: the host removed you false");
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
    let why = "refused: This seat is taken, or not kept for a guest. You can join to watch.";
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
    case.talk("host Ann joins / Ann plays a1 / Ann hears ..");
    let why = "This game is played without hints and analysis.";
    for words in ["hint", "eval", "analyse", "review 1"] {
        case.talk(&format!("Ann: {words} => refused: {why}"));
    }
    case.talk("Ann: resign / Ann: review 0.01 => Ann begins a review | done");
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
    let why = "refused: This seat is taken, or not kept for a guest. You can join to watch.";
    assert_eq!(case.join_as(unnamed, 99).events(), [why]);
    // Without the password, a left seat needs its token.
    case.ask(&bob, TableCommand::Leave);
    assert_eq!(case.join("Bob", p2).events(), [why]);
}
