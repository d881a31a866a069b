//! Whole games by mouse.

use fantoccini::key::Key;
use kit::{Outcome, Side};
use laws::testing::full;
use linesman::GAMES;
use serde_json::json;

use crate::browser::{MIDDLE, by, press, release};
use crate::game::{Game, random_moves, short_game, spot, start_of};

#[test]
fn whole_games_by_mouse() {
    let games = ["graph-hockey:Side=3,Gap=3", "projex:Size=4", "entropy"];
    let more = ["gobblet", "susan:Size=3"];
    for game in games.iter().chain(if full() { &more[..] } else { &[] }) {
        let page = or_skip!(Game::by_hand(game));
        let (moves, end) = short_game(game);
        page.click_all(&moves);
        page.assert_end(end.as_ref());
    }
}

#[test]
fn a_piece_is_dragged() {
    full_only!();
    let page = or_skip!(Game::by_hand("entropy"));
    let mut position = start_of("entropy");
    for ply in 1..=2 {
        let gestures = page.gestures();
        let slide = gestures.iter().find(|it| it.spots.len() == 2);
        let slide = slide.expect("a piece that moves");
        page.drag(&spot(&slide.spots[0]), &spot(&slide.spots[1]));
        page.wait_for_ply(ply);
        position.play(&slide.code).expect("a legal move");
        assert_eq!(page.position(), position.fen());
    }
}

/// The text about a refused click.
const REFUSED: &str = "$('#refusal:not([hidden])')?.textContent";

#[test]
fn a_refused_click_says_why_and_the_list_and_the_arrows_follow_the_game() {
    let page = or_skip!(Game::from_lobby());
    let moves = random_moves("susan", 80);
    page.reopen("susan", &json!({}), ["human", "human"], "c3 d4 c4");
    let refused = |id: &str| {
        page.run("$('#refusal').hidden = true");
        page.click(&spot(id));
        let text = page.until(REFUSED);
        text.as_str().expect("a text").to_owned()
    };
    assert_eq!(refused("c3"), "c3 holds a stone of the opponent's.");
    page.click(&spot("d4"));
    assert_eq!(refused("c4"), "c4 holds a stone of the opponent's.");
    assert_eq!(page.ply(), 3);
    // A typed move is refused with the same reason, and without words of the console.
    page.type_into("#type-move", &format!("c3->c5{}", Key::Enter));
    let why = page.text("#type-error");
    assert!(why.contains("c3") && !why.contains("moves lists"), "{why}");
    // It is in its box, though the boxes below need more room than there is.
    page.run("$$('.panel details').forEach((it) => (it.open = true))");
    let ends =
        ["#type-error", ".game-box"].map(|id| format!("$('{id}').getBoundingClientRect().bottom"));
    assert_eq!(page.value(&ends.join(" <= ")), true);

    // The list shows the last move of a long game, numbered as in PGN.
    page.reopen("susan", &json!({ "SlideLimit": 0 }), ["human", "human"], "");
    page.promise(&format!(
        "linesman.command('add-line', {{ from: 0, codes: {} }})",
        json!(moves)
    ));
    page.until("linesman.view.table.tree.nodes.length > 80");
    page.click("#last");
    page.wait_for_ply(80);
    page.until(
        "(() => { const [list, now] = ['#moves', '#moves [aria-current]'].map((it) => $(it).getBoundingClientRect());
           return list.top - 1 <= now.top && now.bottom <= list.bottom + 1; })()",
    );
    let numbers = page.value(
        "$$('.ply').slice(-2).map((ply) => ply.querySelector('.number')?.textContent ?? '')",
    );
    assert_eq!(numbers, json!(["40.", ""]));
    // These moves come after the position of the game.
    assert!(page.text("#note").contains("have not been played"));
    // After a click on the board, the arrows replay the game.
    page.click("[data-spot][aria-disabled=true]");
    page.until(REFUSED);
    page.keys(&Key::Left.to_string());
    page.wait_for_ply(79);
}

#[test]
fn a_click_that_drifts_within_its_cell_is_a_click() {
    let page = or_skip!(Game::by_hand("projex:Size=4"));
    page.wait_until_usable();
    page.mouse(&spot("C3"), MIDDLE, &[press(), by(9.0, 9.0), release()]);
    page.wait_for_ply(1);
    assert_eq!(page.moves(), ["C3"]);
}

#[test]
fn a_move_is_drawn_at_once_while_the_server_is_slow() {
    let page = or_skip!(Game::by_hand("gobblet"));
    page.wait_until_usable();
    page.server.pause();
    page.click(&spot("reserve p1 3"));
    page.click(&spot("b2"));
    page.until("$('.hand .played')");
    page.click(&spot("a1"));
    let text = page.until(REFUSED);
    assert_eq!(text, "Your move is on its way.");
    page.server.resume();
    page.wait_for_ply(1);
    assert_eq!(page.moves(), ["3@b2"]);
    assert_eq!(page.value("$('.toast')"), json!(null));
}

#[test]
fn a_game_begins_with_one_click_and_the_engine_answers() {
    full_only!();
    let page = or_skip!(Game::from_lobby());
    let games = page.value("$$('[data-game]').map(card => card.dataset.game)");
    assert_eq!(games.as_array().map(Vec::len), Some(GAMES.games().len()));
    page.click("[data-play=susan]");
    // Its level is shown at once.
    page.until(
        "(([name, kind]) => name?.textContent === 'Beginner' && kind.textContent === 'o · level 0')($$('[data-side=p2] .who > *'))",
    );
    page.wait_for_board();
    page.enter("c3");
    page.wait_for_ply(2);
    assert!(page.wait_for_turn());
}

#[test]
fn a_game_with_options_and_a_level_is_begun_in_the_dialog() {
    full_only!();
    let page = or_skip!(Game::from_lobby());
    page.click("#new-game");
    page.choose("#field-game", "susan");
    page.choose("#field-p1-kind", "engine");
    page.choose("#field-p2-kind", "person");
    page.click("#new-game-dialog details summary");
    page.fill("#option-Size", "3");
    page.click("#start-game");
    page.wait_for_board();
    page.wait_for_ply(1);
    while page.wait_for_turn() {
        let code = page.gestures()[0].code.clone();
        page.enter(&code);
    }
    let mut position = start_of("susan:Size=3");
    for code in page.moves() {
        position.play(&code).expect("a legal move");
    }
    let caption = match position.outcome() {
        Some(Outcome::Win(Side::P2)) => "You won",
        Some(Outcome::Win(Side::P1)) => "You lost",
        _ => "A draw",
    };
    page.assert_end_as(position.as_ref(), caption);
}
