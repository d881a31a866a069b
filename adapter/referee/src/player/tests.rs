//! Options that are set while an engine starts.

use std::time::Instant;

use super::{EnginePlayer, Player, PlayerEvent, SeatEngine};
use crate::client::memory::Wire;
use crate::testing::connected;

/// An engine with the options `Hash`, `Seed` and `Skill Level`, and its connection.
fn engine() -> (EnginePlayer, Wire) {
    let wire = Wire::answering(Box::new(|line| match line {
        "ugi" => [
            "option name Hash type spin default 1 min 1 max 64",
            "option name Seed type spin default 0 min 0 max 999",
            "option name Skill Level type spin default 9 min 0 max 9",
            "ugiok",
        ]
        .map(str::to_owned)
        .to_vec(),
        "isready" => vec!["readyok".to_owned()],
        _ => Vec::new(),
    }));
    let copy = wire.clone();
    let config = connected("A", move || Ok(Box::new(copy.clone())));
    (EnginePlayer::new(config), wire)
}

fn polled(player: &mut EnginePlayer, wanted: PlayerEvent) {
    let event = player.poll(Instant::now()).expect("no fault");
    assert_eq!(event, Some(wanted));
}

#[test]
fn an_option_set_while_the_engine_starts_reaches_it() {
    let (mut player, wire) = engine();
    player.start(Instant::now()).expect("it starts");
    player.set_option("Hash", "4").expect("it may have it");
    player.set_option("Skill", "4").expect("it may have it");
    polled(&mut player, PlayerEvent::Started);
    let sent = wire.sent();
    assert!(
        sent.contains(&"setoption name Hash value 4".to_owned()),
        "{sent:?}"
    );
    assert!(!sent.join("\n").contains("Skill"), "{sent:?}");
    assert_eq!(
        player.set_option("Skill", "4"),
        Err("A has no option Skill".to_owned())
    );
    // Also while it is prepared for a game.
    player.begin(Instant::now()).expect("it is running");
    player.set_option("Hash", "8").expect("it has it");
    polled(&mut player, PlayerEvent::Ready);
    assert!(player.poll(Instant::now()).is_ok());
    let sent = wire.sent();
    assert!(
        sent.contains(&"setoption name Hash value 8".to_owned()),
        "{sent:?}"
    );
}

/// Starts the engine with these options, and plays games with these seeds. Returns what was sent of `Seed` and of new
/// games.
fn seeded(options: &[(&str, &str)], games: &[u64]) -> Vec<String> {
    let (mut player, wire) = engine();
    player.start(Instant::now()).expect("it starts");
    for (name, value) in options {
        player.set_option(name, value).expect("it may have it");
    }
    polled(&mut player, PlayerEvent::Started);
    for seed in games {
        player.set_game_seed(*seed);
        player.begin(Instant::now()).expect("it is running");
        polled(&mut player, PlayerEvent::Ready);
    }
    let mut sent = wire.sent();
    sent.retain(|line| line.contains("Seed") || line == "uginewgame");
    sent
}

#[test]
fn an_engine_below_full_strength_gets_a_seed_for_each_game() {
    let weak = seeded(&[("skill level", "8")], &[1, 2, 1]);
    let [
        first,
        "uginewgame",
        second,
        "uginewgame",
        third,
        "uginewgame",
    ] = weak.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        panic!("{weak:?}");
    };
    assert!(first.starts_with("setoption name Seed value "), "{first}");
    assert!(first != second && first == third, "{weak:?}");

    let games = ["uginewgame"; 2];
    assert_eq!(seeded(&[], &[1, 2]), games);
    assert_eq!(seeded(&[("Skill Level", "9")], &[1, 2]), games);
    let chosen = seeded(&[("Skill Level", "8"), ("Seed", "0")], &[1, 2]);
    assert_eq!(chosen[1..], games);
}

#[test]
fn an_engine_at_full_strength_keeps_no_seed_of_an_earlier_game() {
    let (mut player, wire) = engine();
    player.start(Instant::now()).expect("it starts");
    polled(&mut player, PlayerEvent::Started);
    player.set_game_seed(7);
    for level in ["8", "9"] {
        player.set_option("Skill Level", level).expect("it has it");
        player.begin(Instant::now()).expect("it is running");
        polled(&mut player, PlayerEvent::Ready);
    }
    let sent = wire.sent();
    let seeds: Vec<_> = sent.iter().filter(|line| line.contains("Seed")).collect();
    assert_eq!(seeds.len(), 2, "{sent:?}");
    assert_eq!(seeds[1], "setoption name Seed value 0");
}
