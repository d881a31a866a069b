use std::collections::HashSet;

use fastrand::Rng;

use super::*;
use crate::testing::plan;

const NAMES: [&str; 9] = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];

fn rounds_of(n_entrants: usize, format: Format) -> Plan {
    Plan {
        format,
        games: 2,
        ..plan(&NAMES[..n_entrants])
    }
}

/// A random result, determined by the players and the number of the game.
fn by_chance(slot: &Slot) -> GameResult {
    let seed = (slot.game * 100 + slot.p1 * 10 + slot.p2) as u64;
    let results = [GameResult::P1Win, GameResult::P2Win, GameResult::Draw];
    results[Rng::with_seed(seed).usize(..3)]
}

/// A win for the better seed.
fn by_seed(slot: &Slot) -> GameResult {
    match slot.p1 < slot.p2 {
        true => GameResult::P1Win,
        false => GameResult::P2Win,
    }
}

/// Plays a match with `n_at_once` games in progress. Returns the games in the order in which they finished, drawn by
/// `rng`.
fn play(
    schedule: &mut Schedule,
    n_at_once: usize,
    rng: &mut Rng,
    result: fn(&Slot) -> GameResult,
) -> Vec<Slot> {
    let (mut running, mut finished) = (Vec::new(), Vec::new());
    loop {
        while running.len() < n_at_once
            && let Some(slot) = schedule.take()
        {
            running.push(slot);
        }
        if running.is_empty() {
            return finished;
        }
        let slot: Slot = running.swap_remove(rng.usize(..running.len()));
        schedule.finish(&slot, result(&slot));
        finished.push(slot);
    }
}

/// Plays the remaining games of a plan one at a time. Returns them with the final schedule.
fn play_on(plan: &Plan, done: &[PlayedGame<'_>]) -> (Vec<Slot>, Schedule) {
    let mut schedule = Schedule::resume(plan, done.iter().copied()).expect("they fit");
    let games = play(&mut schedule, 1, &mut Rng::with_seed(0), by_chance);
    (games, schedule)
}

fn finished(slot: &Slot) -> PlayedGame<'static> {
    let names = [slot.p1, slot.p2].map(|player| NAMES[player]);
    (slot.game, names, by_chance(slot))
}

/// The pairings of each round as `A-B C-D`, followed by a slash and the bye.
fn told(rounds: &[Round]) -> Vec<String> {
    let name = |entrant: &usize| NAMES[*entrant];
    let meeting = |meeting: &Meeting| meeting.players.each_ref().map(name).join("-");
    let round = |round: &Round| {
        let meetings: Vec<String> = round.meetings.iter().map(meeting).collect();
        let bye: String = round.bye.iter().map(name).collect();
        format!("{}/{bye}", meetings.join(" "))
    };
    rounds.iter().map(round).collect()
}

fn all_rounds(plan: &Plan, result: fn(&Slot) -> GameResult) -> Schedule {
    let mut schedule = Schedule::new(plan);
    play(&mut schedule, 1, &mut Rng::with_seed(0), result);
    schedule
}

const SWISS: Format = Format::Swiss { rounds: 3 };

#[test]
fn the_first_engine_of_a_gauntlet_meets_all_others() {
    let slots = play_on(&rounds_of(4, Format::Gauntlet), &[]).0;
    let pair = |slot: &Slot| format!("{}{}", NAMES[slot.p1], NAMES[slot.p2]);
    let pairs: Vec<String> = slots.iter().map(pair).collect();
    assert_eq!(pairs, ["AB", "BA", "AC", "CA", "AD", "DA"]);
}

#[test]
fn a_swiss_round_pairs_those_with_equal_points() {
    let schedule = all_rounds(&rounds_of(8, SWISS), by_seed);
    assert_eq!(
        told(schedule.rounds()),
        ["A-E B-F C-G D-H/", "A-C B-D E-G F-H/", "A-B C-E D-F G-H/"]
    );
    let places = places(8, schedule.rounds(), 2);
    let order: String = places.iter().map(|place| NAMES[place.player]).collect();
    assert_eq!((order.as_str(), places[0].halves), ("ABCDEFGH", 12));
    assert_eq!(places[0].buchholz, 4 + 8 + 8);
}

#[test]
fn the_lowest_without_a_bye_has_the_next_one() {
    let schedule = all_rounds(&rounds_of(5, Format::Swiss { rounds: 5 }), by_seed);
    let rounds = told(schedule.rounds());
    assert_eq!(rounds[..2], ["A-C B-D/E", "A-B E-C/D"]);
    let byes = rounds.iter().filter_map(|round| round.chars().last());
    let byes: HashSet<char> = byes.collect();
    assert_eq!(byes.len(), 5, "{rounds:?}");
}

/// Each engine has played first in half of its games.
#[test]
fn the_sides_are_balanced() {
    for n_players in 2..=NAMES.len() {
        let (slots, schedule) = play_on(&rounds_of(n_players, Format::Swiss { rounds: 7 }), &[]);
        assert_eq!(slots.len(), schedule.n_games());
        for player in 0..n_players {
            let n_first = slots.iter().filter(|slot| slot.p1 == player).count();
            let n_second = slots.iter().filter(|slot| slot.p2 == player).count();
            assert_eq!(n_first, n_second, "{player} of {n_players}");
        }
        let numbers: Vec<usize> = slots.iter().map(|slot| slot.game).collect();
        assert_eq!(numbers, Vec::from_iter(1..=slots.len()));
        let openings: HashSet<usize> = slots.iter().map(|slot| slot.opening).collect();
        assert_eq!(openings.len(), 7, "each round has its own");
        assert_eq!(n_openings(Format::Swiss { rounds: 7 }, 2, true), 7);
    }
}

#[test]
fn rounds_do_not_depend_on_which_game_ends_first() {
    for n_entrants in [5, 8] {
        let plan = rounds_of(n_entrants, SWISS);
        let mut alone = play_on(&plan, &[]).0;
        alone.sort_by_key(|slot| slot.game);
        for seed in 0..20 {
            let mut schedule = Schedule::new(&plan);
            let mut slots = play(&mut schedule, 3, &mut Rng::with_seed(seed), by_chance);
            slots.sort_by_key(|slot| slot.game);
            assert_eq!(slots, alone, "seed {seed}");
        }
    }
}

#[test]
fn finished_games_are_enough_to_go_on() {
    let plan = rounds_of(7, SWISS);
    for seed in 0..20 {
        let mut rng = Rng::with_seed(seed);
        let all = play(&mut Schedule::new(&plan), 3, &mut rng, by_chance);
        for n_done in 0..=all.len() {
            let (done, left) = all.split_at(n_done);
            let done: Vec<PlayedGame> = done.iter().map(finished).collect();
            let (mut more, schedule) = play_on(&plan, &done);
            let mut left = left.to_vec();
            left.sort_by_key(|slot| slot.game);
            more.sort_by_key(|slot| slot.game);
            assert_eq!(more, left, "seed {seed}, after {n_done}");
            assert_eq!(schedule.n_games(), all.len());
        }
    }
}

#[test]
fn games_that_do_not_fit_are_named() {
    let plan = rounds_of(4, SWISS);
    let all: Vec<PlayedGame> = play_on(&plan, &[]).0.iter().map(finished).collect();
    let replay = |games: &[PlayedGame]| Schedule::resume(&plan, games.iter().copied()).map(|_| ());
    assert_eq!(replay(&all), Ok(()));
    assert_eq!(replay(&all[..7]), Ok(()));
    type Spoil = fn(&mut Vec<PlayedGame>);
    let spoilt: [(&str, Spoil); 3] = [
        ("game 3 is missing, and game 12 of a later round", |games| {
            games.remove(2);
        }),
        (
            "game 5 is A vs A: by the previous results it is ",
            |games| games[4].1 = ["A", "A"],
        ),
        ("game 13: the match ends before it", |games| {
            games.push((13, ["A", "B"], games[0].2))
        }),
    ];
    for (begins, spoil) in spoilt {
        let mut games = all.clone();
        spoil(&mut games);
        let why = replay(&games).expect_err(begins);
        assert!(why.starts_with(begins), "{why}");
    }
}

#[test]
fn rounds_are_played_with_both_sides_by_all() {
    let plan = rounds_of(4, SWISS);
    assert_eq!(plan.check(), Ok(()));
    type Spoil = fn(&mut Plan);
    let spoilt: [(&str, Spoil); 4] = [
        ("even number", |plan| plan.games = 3),
        ("swapped sides", |plan| plan.swaps = false),
        ("shard", |plan| {
            plan.shard = Some(Shard { number: 1, of: 2 })
        }),
        ("rounds: 0", |plan| {
            plan.format = Format::Swiss { rounds: 0 }
        }),
    ];
    for (named, spoil) in spoilt {
        let mut bad = plan.clone();
        spoil(&mut bad);
        let why = bad.check().expect_err(named);
        assert!(why.contains(named) && why.contains("choose"), "{why}");
    }
}

#[test]
fn parts_share_the_pairs_of_a_match() {
    for (names, games, swaps) in [
        (&["A", "B"][..], 10, true),
        (&["A", "B"], 7, true),
        (&["A", "B", "C"], 5, true),
        (&["A", "B", "C", "D"], 4, false),
    ] {
        let whole = Plan {
            games,
            swaps,
            ..plan(names)
        };
        let all: Vec<Slot> = play_on(&whole, &[]).0;
        assert_eq!(all.len(), Schedule::new(&whole).n_games());
        for of in [1, 2, 3, 7, 100] {
            let mut played = Vec::new();
            for number in 1..=of {
                let shard = Some(Shard { number, of });
                let part = Plan {
                    shard,
                    ..whole.clone()
                };
                let slots: Vec<Slot> = play_on(&part, &[]).0;
                assert_eq!(
                    slots.len(),
                    Schedule::new(&part).n_games(),
                    "{names:?} {games} {shard:?}"
                );
                played.extend(slots);
            }
            played.sort_by_key(|slot| slot.game);
            assert_eq!(played, all, "{names:?}, {games} games in {of} parts");
        }
    }
}

#[test]
fn a_part_is_written_as_k_of_n() {
    for text in ["1/1", "3/4", "1000000/1000000"] {
        let shard: Shard = text.parse().expect("a part");
        assert_eq!(shard.to_string(), text);
    }
    for text in "0/4 5/4 1 1/ /2 a/b 1/0 -1/2 1/1000001".split(' ') {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}
