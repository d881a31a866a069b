//! A game on a page: what it shows, and how moves are entered.

use std::ops::Deref;

use draw::View;
use fantoccini::wd::WindowHandle;
use kit::{DynHistory, Outcome, Side};
use linesman::GAMES;
use record::game_spec::GameSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::{Browser, Device};
use crate::seat::seat;
use crate::server::Server;

/// True in the page as soon as it shows the latest position that it has received, and its camera has arrived.
const IS_DRAWN: &str = "linesman.view.view && linesman.view.board.shown === linesman.view.view && !linesman.view.board.camera.isMoving && !linesman.view.board.roll.isMoving";

/// The gesture of a legal move, as the page receives it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Gesture {
    pub(crate) code: String,
    /// Spots to click, in order.
    #[serde(default)]
    pub(crate) spots: Vec<String>,
    /// The button next to the board that is used instead.
    pub(crate) button: Option<String>,
}

/// A server with a game, and a browser that shows it. The browser is dropped first.
pub(crate) struct Game {
    pub(crate) browser: Browser,
    pub(crate) server: Server,
}

impl Deref for Game {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Game {
    /// A game with these arguments of `linesman gui` in a desktop window; `None` without Chromium.
    pub(crate) fn start(args: &[&str]) -> Option<Game> {
        Game::on(Device::Desktop(1280, 900), args)
    }

    pub(crate) fn on(device: Device, args: &[&str]) -> Option<Game> {
        let browser = Browser::start(device)?;
        Some(Game::shown(browser, Server::start(args)))
    }

    /// The game that a server was started with.
    pub(crate) fn at(server: Server) -> Option<Game> {
        let browser = Browser::start(Device::Desktop(1280, 900))?;
        Some(Game::shown(browser, server))
    }

    fn shown(browser: Browser, server: Server) -> Game {
        browser.open(&server.address);
        let game = Game { browser, server };
        game.wait_for_board();
        game
    }

    /// A server without a game; its page lets the person choose one.
    pub(crate) fn from_lobby() -> Option<Game> {
        Game::at_lobby(Device::Desktop(1280, 900), &[])
    }

    /// The lobby of a server with these arguments.
    pub(crate) fn at_lobby(device: Device, args: &[&str]) -> Option<Game> {
        let browser = Browser::start(device)?;
        let server = Server::start(args);
        browser.open(&server.address);
        browser.until("$('[data-play]')");
        Some(Game { browser, server })
    }

    /// A game whose sides are both played on this page.
    pub(crate) fn by_hand(game: &str) -> Option<Game> {
        Game::start(&[game, "--p1", "human", "--p2", "human"])
    }

    pub(crate) fn wait_for_board(&self) {
        self.until(IS_DRAWN);
    }

    /// The game or its position as a text in this form.
    pub(crate) fn export(&self, what: &str) -> String {
        let done = self.promise(&format!("linesman.ask('export', {{ what: '{what}' }})"));
        done["text"].as_str().expect("a text").to_owned()
    }

    /// The address of the link to a side, or to watch.
    pub(crate) fn link(&self, side: Option<&str>) -> String {
        let ask = format!("linesman.ask('invite', {{ side: {} }})", json!(side));
        let done = self.promise(&ask);
        done["link"].as_str().expect("a link").to_owned()
    }

    /// Opens the link to a side, or to watch, in a new window. Returns both windows.
    #[track_caller]
    pub(crate) fn join(&self, side: Option<&str>) -> [WindowHandle; 2] {
        let link = self.link(side);
        let windows = [self.window(), self.new_window()];
        self.open(&link);
        self.wait_for_board();
        windows
    }

    /// Opens a game in this page by a request.
    pub(crate) fn open_table(&self, wish: &Value) {
        self.promise(&format!("linesman.open({wish})"));
    }

    /// Opens a game in this page by a request, and waits until it can be played.
    #[track_caller]
    pub(crate) fn reopen(&self, game: &str, options: &Value, seats: [&str; 2], moves: &str) {
        self.open_table(&json!({
            "game": game, "options": options, "seats": seats.map(seat), "level": 0, "clock": "-",
            "opening": format!("startpos moves {moves}").trim_end_matches(" moves "),
        }));
        self.wait_until_usable();
    }

    /// Waits until the page shows the position after this many plies.
    #[track_caller]
    pub(crate) fn wait_for_ply(&self, ply: usize) {
        self.until(&format!("{IS_DRAWN} && linesman.view.view.ply === {ply}"));
    }

    /// Waits until the page accepts a move or the game is over; `true` if the game continues.
    #[track_caller]
    pub(crate) fn wait_for_turn(&self) -> bool {
        let state = self.until(&format!(
            "{IS_DRAWN} && (linesman.view.table.turn === 'over' ? 'over' : linesman.view.isUsable && linesman.view.look.node === null && 'turn')"
        ));
        state == "turn"
    }

    /// Waits until the page accepts a move at the position that it shows. Earlier input would be lost, since the board
    /// may be drawn before the page knows the side to move.
    #[track_caller]
    pub(crate) fn wait_until_usable(&self) {
        self.until(&format!("{IS_DRAWN} && linesman.view.board.isUsable"));
    }

    /// Moves the focus to the board by keyboard.
    #[track_caller]
    pub(crate) fn focus_board(&self) {
        self.wait_until_usable();
        // With the focus on the board, a letter may be a move.
        let is_there = self.value("document.activeElement.closest('.stage') !== null");
        if is_there == false {
            self.keys("b");
        }
    }

    /// The ply of the position that the page shows.
    pub(crate) fn ply(&self) -> usize {
        self.number("linesman.view.view.ply") as usize
    }

    /// The position string of the position that the page shows.
    pub(crate) fn position(&self) -> String {
        self.string("linesman.view.view.fen")
    }

    /// The moves that led to the position that the page shows.
    pub(crate) fn moves(&self) -> Vec<String> {
        let moves = self.run(
            "const { tree } = linesman.view.table;\
             return tree.path(linesman.view.view.node).map((node) => tree.nodes[node].code);",
        );
        serde_json::from_value(moves).expect("codes of moves")
    }

    /// The gestures of all legal moves.
    pub(crate) fn gestures(&self) -> Vec<Gesture> {
        let gestures = self.value("linesman.view.view.diagram.gestures");
        serde_json::from_value(gestures).expect("the gestures of a diagram")
    }

    #[track_caller]
    pub(crate) fn gesture(&self, code: &str) -> Gesture {
        let found = self.gestures().into_iter().find(|it| it.code == code);
        found.unwrap_or_else(|| panic!("{code} is no move at {}", self.position()))
    }

    /// Enters a move with the mouse, and waits until it is played.
    #[track_caller]
    pub(crate) fn enter(&self, code: &str) {
        self.enter_by(code, |browser, selector| browser.click(selector));
    }

    /// Enters a move by touch, and waits until it is played.
    #[track_caller]
    pub(crate) fn tap_move(&self, code: &str) {
        self.enter_by(code, |browser, selector| browser.tap(selector));
    }

    /// Enters a move with a finger, and waits until it is played: by a drag if it leads from one spot to another.
    #[track_caller]
    pub(crate) fn finger(&self, code: &str) {
        self.wait_until_usable();
        match self.gesture(code).spots.as_slice() {
            [from, to] => {
                let ply = self.ply();
                self.drag_finger(from, to);
                self.until(&format!("linesman.view.view.ply > {ply}"));
            }
            _ => self.tap_move(code),
        }
    }

    /// Drags from a spot to another with a finger.
    #[track_caller]
    pub(crate) fn drag_finger(&self, from: &str, to: &str) {
        let way = self.run(&format!(
            "const at = (id) => {{ const {{ x, y, width, height }} = $(`[data-spot=\"${{id}}\"]`).getBoundingClientRect(); return [x + width / 2, y + height / 2]; }};
             const [from, to] = [at({}), at({})];
             return [to[0] - from[0], to[1] - from[1]];",
            json!(from), json!(to)
        ));
        let at = |i: usize| way[i].as_f64().expect("a length");
        self.swipe(&spot(from), at(0), at(1));
    }

    #[track_caller]
    fn enter_by(&self, code: &str, press: impl Fn(&Browser, &str)) {
        self.wait_until_usable();
        let ply = self.ply();
        let gesture = self.gesture(code);
        if gesture.button.is_some() {
            press(
                &self.browser,
                &format!("#move-buttons [data-code={}]", json!(code)),
            );
        }
        for id in &gesture.spots {
            press(&self.browser, &spot(id));
        }
        self.until(&format!("linesman.view.view.ply > {ply}"));
    }

    /// Enters the first legal move with the mouse.
    #[track_caller]
    pub(crate) fn click_first(&self) {
        let code = self.gestures().swap_remove(0).code;
        self.enter(&code);
    }

    /// Plays the moves of both sides by mouse.
    #[track_caller]
    pub(crate) fn click_all(&self, codes: &[String]) {
        let start = self.ply();
        for (i, code) in codes.iter().enumerate() {
            self.enter(code);
            self.wait_for_ply(start + i + 1);
        }
    }

    /// Checks that the page shows the result that the rules give.
    #[track_caller]
    pub(crate) fn assert_end(&self, end: &dyn DynHistory) {
        self.assert_end_as(end, &caption(end));
    }

    /// As [`assert_end`](Game::assert_end), with the caption of a person who plays one side.
    #[track_caller]
    pub(crate) fn assert_end_as(&self, end: &dyn DynHistory, caption: &str) {
        let outcome = end.outcome().expect("the game is over");
        self.until("linesman.view.table.turn === 'over'");
        let score = match outcome {
            Outcome::Win(Side::P1) => "1–0",
            Outcome::Win(Side::P2) => "0–1",
            Outcome::Draw => "½–½",
        };
        let banner = self.text("#banner");
        assert!(banner.starts_with(score), "{banner:?} for {outcome:?}");
        assert_eq!(self.text("#caption"), caption);
        assert_eq!(self.position(), end.fen());
    }
}

/// The CSS selector of a spot.
pub(crate) fn spot(id: &str) -> String {
    format!("[data-spot={}]", json!(id))
}

/// The caption of a position's diagram.
pub(crate) fn caption(position: &dyn DynHistory) -> String {
    position.diagram(View::default()).caption
}

/// The initial position of a game, given by its name and options.
pub(crate) fn start_of(game: &str) -> Box<dyn DynHistory> {
    let spec = GameSpec::parse(game).expect("a game with its options");
    let rules = GAMES.rules(&spec).expect("the options of the game");
    rules.expect("a game of linesman").start()
}

/// The shortest of many random games that end by the rules, and its last position. Winning moves are always played.
pub(crate) fn short_game(game: &str) -> (Vec<String>, Box<dyn DynHistory>) {
    let mut random = fastrand::Rng::with_seed(1);
    let games = (0..GAMES_TRIED).filter_map(|_| random_game(game, &mut random));
    let shortest = games.min_by_key(|(moves, _)| moves.len());
    shortest.expect("a game that ends")
}

/// The first moves of a random game, none of which ends it.
pub(crate) fn random_moves(game: &str, count: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(2);
    let mut position = start_of(game);
    let moves = (0..count).map(|_| play_random(&mut *position, false, &mut random));
    moves.collect()
}

const GAMES_TRIED: usize = 100;
/// Longer games are abandoned.
const LONGEST: usize = 120;

fn random_game(
    game: &str,
    random: &mut fastrand::Rng,
) -> Option<(Vec<String>, Box<dyn DynHistory>)> {
    let mut position = start_of(game);
    let mut played = Vec::new();
    while position.outcome().is_none() && played.len() < LONGEST {
        played.push(play_random(&mut *position, true, random));
    }
    let is_over = position.outcome().is_some();
    is_over.then_some((played, position))
}

/// Plays a random move, if possible one that ends the game or one that does not.
fn play_random(position: &mut dyn DynHistory, ends: bool, random: &mut fastrand::Rng) -> String {
    let mut moves = position.moves();
    random.shuffle(&mut moves);
    let found = moves.iter().position(|code| {
        position.play(code).expect("a legal move");
        let is_over = position.outcome().is_some();
        position.undo();
        is_over == ends
    });
    let code = moves.swap_remove(found.unwrap_or(0));
    position.play(&code).expect("a legal move");
    code
}
