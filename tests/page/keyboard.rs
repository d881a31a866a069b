//! Games by keyboard alone: letters, arrows and Enter, typed moves, and the spoken text.

use fantoccini::key::Key;

use crate::game::{Game, Gesture, short_game};

#[test]
fn a_game_by_keyboard_alone() {
    let page = or_skip!(Game::by_hand("gobblet"));
    let (moves, end) = short_game("gobblet");
    page.focus_board();
    for (ply, code) in moves.iter().enumerate() {
        page.wait_until_usable();
        let gesture = page.gesture(code);
        for id in &gesture.spots {
            walk(&page, id);
            page.keys(&Key::Enter.to_string());
        }
        page.wait_for_ply(ply + 1);
    }
    page.assert_end(end.as_ref());
}

/// Moves to a spot with the arrow keys, by the shortest path through the diagram's neighbours.
fn walk(page: &Game, to: &str) {
    let way = page.run(&format!(
        "const spots = new Map(linesman.view.board.spots.map((spot) => [spot.id, spot.neighbours]));
         const start = document.activeElement.dataset.spot, ways = new Map([[start, []]]);
         for (const [id, way] of ways)
           for (const [direction, next] of Object.entries(spots.get(id)))
             if (['up', 'right', 'down', 'left'].includes(direction) && !ways.has(next)) ways.set(next, [...way, direction]);
         return ways.get({});",
        serde_json::json!(to)
    ));
    let way = way.as_array().expect("the arrows lead to each spot");
    let keys = way.iter().map(|direction| {
        match direction.as_str() {
            Some("up") => Key::Up,
            Some("right") => Key::Right,
            Some("down") => Key::Down,
            _ => Key::Left,
        }
        .to_string()
    });
    page.keys(&keys.collect::<String>());
    let focused = "document.activeElement.dataset.spot";
    assert_eq!(page.value(focused), to);
}

#[test]
fn letters_are_the_moves_of_graph_hockey() {
    full_only!();
    let page = or_skip!(Game::by_hand("graph-hockey"));
    page.focus_board();
    for ply in 1..=4 {
        page.wait_until_usable();
        let Gesture { code, .. } = page.gestures().swap_remove(0);
        page.keys(&code.to_lowercase());
        page.wait_for_ply(ply);
        let last = page.value("linesman.view.view.last");
        assert_eq!(last, code);
    }
}

#[test]
fn escape_takes_a_half_entered_move_back() {
    full_only!();
    let page = or_skip!(Game::by_hand("entropy"));
    page.focus_board();
    let slide = page.gestures().swap_remove(0);
    walk(&page, &slide.spots[0]);
    page.keys(&Key::Enter.to_string());
    let half = "linesman.view.board.gestures.isHalf";
    assert_eq!(page.value(half), true);
    page.keys(&Key::Escape.to_string());
    assert_eq!(page.value(half), false);
    assert_eq!(page.ply(), 0);
}

#[test]
fn keys_speak_the_last_move_the_moves_from_here_and_the_spot() {
    full_only!();
    let page = or_skip!(Game::by_hand("susan:Size=3"));
    page.enter("b2");
    page.wait_for_ply(1);
    page.focus_board();
    let spoken = |key: &str, part: &str| {
        page.run("document.getElementById('live').textContent = ''");
        page.keys(key);
        page.until(&format!(
            "document.getElementById('live').textContent.includes({})",
            serde_json::json!(part)
        ));
    };
    spoken(",", "b2");
    spoken(";", "clock");
    walk(&page, "a1");
    spoken("'", "a1");
    spoken(".", "a1");
    // Screen readers read a repeated text again only if it differs.
    let text = "document.getElementById('live').textContent";
    let first = page.value(text);
    page.keys(".");
    assert_ne!(page.value(text), first);
}

#[test]
fn a_game_by_typing() {
    let game = "susan:Size=3";
    let page = or_skip!(Game::by_hand(game));
    let (moves, end) = short_game(game);
    page.keys("/");
    for (ply, code) in moves.iter().enumerate() {
        // The page accepts every form that the console accepts.
        page.keys(&format!(" {} {}", code.to_uppercase(), Key::Enter));
        page.wait_for_ply(ply + 1);
    }
    page.assert_end(end.as_ref());
}
