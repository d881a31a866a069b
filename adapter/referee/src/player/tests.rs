//! Options that are set while an engine starts.

use std::time::Instant;

use super::{EnginePlayer, Player, PlayerEvent};
use crate::client::memory::Wire;
use crate::testing::connected;

/// An engine with the option `Hash`, and its connection.
fn engine() -> (EnginePlayer, Wire) {
    let wire = Wire::answering(Box::new(|line| match line {
        "ugi" => vec![
            "option name Hash type spin default 1 min 1 max 64".to_owned(),
            "ugiok".to_owned(),
        ],
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
