//! A game on a page: what it shows, and how moves are entered.

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
        Game::from_lobby_on(Device::Desktop(1280, 900))
    }

    pub(crate) fn from_lobby_on(device: Device) -> Option<Game> {
        Game::at_lobby(device, &[])
    }

    /// The lobby of a server with these arguments.
    pub(crate) fn at_lobby(device: Device, args: &[&str]) -> Option<Game> {
        let browser = Browser::start(device)?;
        let server = Server::start(args);
        browser.open(&server.address);
        browser.until("document.querySelector('[data-play]')");
        Some(Game { browser, server })
    }

    /// A game whose sides are both played on this page.
    pub(crate) fn by_hand(game: &str) -> Option<Game> {
        Game::start(&[game, "--p1", "human", "--p2", "human"])
    }

    pub(crate) fn wait_for_board(&self) {
        self.browser.until(IS_DRAWN);
    }

    /// The address of the link to a side, or to watch.
    #[track_caller]
    pub(crate) fn link(&self, side: Option<&str>) -> String {
        let ask = format!("linesman.ask('invite', {{ side: {} }})", json!(side));
        let done = self.browser.promise(&ask);
        done["link"].as_str().expect("a link").to_owned()
    }

    /// Opens the link to a side, or to watch, in a new window. Returns both windows.
    #[track_caller]
    pub(crate) fn join(&self, side: Option<&str>) -> [WindowHandle; 2] {
        let link = self.link(side);
        let windows = [self.browser.window(), self.browser.new_window()];
        self.browser.open(&link);
        self.wait_for_board();
        windows
    }

    /// Opens a game in this page by a request.
    #[track_caller]
    pub(crate) fn open(&self, wish: &Value) {
        self.browser.promise(&format!("linesman.open({wish})"));
    }

    /// Opens a game in this page by a request, and waits until it can be played.
    #[track_caller]
    pub(crate) fn reopen(&self, game: &str, options: &Value, seats: [&str; 2], moves: &str) {
        self.open(&json!({
            "game": game, "options": options, "seats": seats.map(seat), "level": 0, "clock": "-",
            "opening": format!("startpos moves {moves}").trim_end_matches(" moves "),
        }));
        self.wait_until_usable();
    }

    /// Waits until the page shows the position after this many plies.
    #[track_caller]
    pub(crate) fn wait_for_ply(&self, ply: usize) {
        self.browser
            .until(&format!("{IS_DRAWN} && linesman.view.view.ply === {ply}"));
    }

    /// Waits until the page accepts a move or the game is over; `true` if the game continues.
    #[track_caller]
    pub(crate) fn wait_for_turn(&self) -> bool {
        let state = self.browser.until(&format!(
            "{IS_DRAWN} && (linesman.view.table.turn === 'over' ? 'over' : linesman.view.isUsable && linesman.view.look.node === null && 'turn')"
        ));
        state == "turn"
    }

    /// Waits until the page accepts a move at the position that it shows. Earlier input would be lost, since the board
    /// may be drawn before the page knows the side to move.
    #[track_caller]
    pub(crate) fn wait_until_usable(&self) {
        self.browser
            .until(&format!("{IS_DRAWN} && linesman.view.board.isUsable"));
    }

    /// Moves the focus to the board by keyboard.
    #[track_caller]
    pub(crate) fn focus_board(&self) {
        self.wait_until_usable();
        // With the focus on the board, a letter may be a move.
        let is_there = self
            .browser
            .value("document.activeElement.closest('.stage') !== null");
        if is_there == false {
            self.browser.keys("b");
        }
    }

    /// The ply of the position that the page shows.
    #[track_caller]
    pub(crate) fn ply(&self) -> usize {
        self.browser.number("linesman.view.view.ply") as usize
    }

    /// The position string of the position that the page shows.
    #[track_caller]
    pub(crate) fn position(&self) -> String {
        self.browser.string("linesman.view.view.fen")
    }

    /// The moves that led to the position that the page shows.
    #[track_caller]
    pub(crate) fn moves(&self) -> Vec<String> {
        let moves = self.browser.run(
            "const { tree } = linesman.view.table;\
             return tree.path(linesman.view.view.node).map((node) => tree.nodes[node].code);",
        );
        serde_json::from_value(moves).expect("codes of moves")
    }

    /// The gestures of all legal moves.
    #[track_caller]
    pub(crate) fn gestures(&self) -> Vec<Gesture> {
        let gestures = self.browser.value("linesman.view.view.diagram.gestures");
        serde_json::from_value(gestures).expect("the gestures of a diagram")
    }

    #[track_caller]
    pub(crate) fn gesture(&self, code: &str) -> Gesture {
        let found = self.gestures().into_iter().find(|it| it.code == code);
        found.unwrap_or_else(|| panic!("{code} is no move at {}", self.position()))
    }

    /// Enters a move with the mouse, and waits until it is played.
    #[track_caller]
    pub(crate) fn click(&self, code: &str) {
        self.enter(code, |browser, selector| browser.click(selector));
    }

    /// Enters a move by touch, and waits until it is played.
    #[track_caller]
    pub(crate) fn tap(&self, code: &str) {
        self.enter(code, |browser, selector| browser.tap(selector));
    }

    /// Enters a move with a finger, and waits until it is played: by a drag if it leads from one spot to another.
    #[track_caller]
    pub(crate) fn finger(&self, code: &str) {
        self.wait_until_usable();
        match self.gesture(code).spots.as_slice() {
            [from, to] => {
                let ply = self.ply();
                self.swipe(from, to);
                self.browser
                    .until(&format!("linesman.view.view.ply > {ply}"));
            }
            _ => self.tap(code),
        }
    }

    /// Drags from a spot to another with a finger.
    #[track_caller]
    pub(crate) fn swipe(&self, from: &str, to: &str) {
        let way = self.browser.run(&format!(
            "const at = (id) => {{ const {{ x, y, width, height }} = document.querySelector(`[data-spot=\"${{id}}\"]`).getBoundingClientRect(); return [x + width / 2, y + height / 2]; }};
             const [from, to] = [at({}), at({})];
             return [to[0] - from[0], to[1] - from[1]];",
            json!(from), json!(to)
        ));
        let at = |i: usize| way[i].as_f64().expect("a length");
        self.browser.swipe(&spot(from), at(0), at(1));
    }

    #[track_caller]
    fn enter(&self, code: &str, press: impl Fn(&Browser, &str)) {
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
        self.browser
            .until(&format!("linesman.view.view.ply > {ply}"));
    }

    /// Enters the first legal move with the mouse.
    #[track_caller]
    pub(crate) fn click_first(&self) {
        let code = self.gestures().swap_remove(0).code;
        self.click(&code);
    }

    /// Plays the moves of both sides by mouse.
    #[track_caller]
    pub(crate) fn click_all(&self, codes: &[String]) {
        let start = self.ply();
        for (i, code) in codes.iter().enumerate() {
            self.click(code);
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
        self.browser.until("linesman.view.table.turn === 'over'");
        let score = match outcome {
            Outcome::Win(Side::P1) => "1–0",
            Outcome::Win(Side::P2) => "0–1",
            Outcome::Draw => "½–½",
        };
        let banner = self.browser.text("#banner");
        assert!(banner.starts_with(score), "{banner:?} for {outcome:?}");
        assert_eq!(self.browser.text("#caption"), caption);
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
    let mut play = || {
        let mut moves = position.moves();
        random.shuffle(&mut moves);
        let goes_on = moves.into_iter().find(|code| {
            position.play(code).expect("a legal move");
            let goes_on = position.outcome().is_none();
            if !goes_on {
                position.undo();
            }
            goes_on
        });
        goes_on.expect("a move that does not end the game")
    };
    (0..count).map(|_| play()).collect()
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
    while position.outcome().is_none() {
        if played.len() == LONGEST {
            return None;
        }
        let moves = position.moves();
        let mut ends = |code: &String| {
            position.play(code).expect("a legal move");
            let is_over = position.outcome().is_some();
            position.undo();
            is_over
        };
        let last = moves.iter().find(|code| ends(code));
        let code = last.or_else(|| random.choice(&moves)).expect("a move");
        position.play(code).expect("a legal move");
        played.push(code.clone());
    }
    Some((played, position))
}
