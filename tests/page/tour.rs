//! Every board and dialog, in light and dark, on a wide screen and on a phone: axe-core finds no violation, nothing is
//! cut off, and what the windows show is stored.

use serde_json::json;

use crate::browser::{Browser, Device};
use crate::game::{Game, random_moves};

/// axe-core, which looks for what keeps people with disabilities out.
const AXE: &str = include_str!("../data/axe-core/axe.min.js");

const PLIES: usize = 9;

#[test]
fn every_board_and_dialog_on_a_wide_screen() {
    tour("wide", Device::Desktop(1280, 900));
}

#[test]
fn every_board_and_dialog_on_a_phone() {
    tour("narrow", Device::Phone);
}

fn tour(width: &str, device: Device) {
    let Some(page) = Game::from_lobby_on(device) else {
        return;
    };
    let stops = Stops {
        browser: &page.browser,
        width,
        faults: Vec::new(),
    };
    let mut stops = stops;
    stops.look("lobby");
    stops.dialogs(&["#new-game", "#guide-button", "#open-text"]);
    page.browser.keys("?");
    stops.dialog();
    for entry in linesman::GAMES.games() {
        let opening = format!(
            "startpos moves {}",
            random_moves(entry.name, PLIES).join(" ")
        );
        let wish = json!({
            "game": entry.name, "options": {}, "seats": ["human", "builtin"], "level": 0,
            "clock": "tc=300+3", "opening": opening,
        });
        page.browser.promise(&format!("linesman.open({wish})"));
        page.wait_for_board();
        page.browser
            .until("linesman.view.table.turnKind !== 'starting'");
        stops.look(entry.name);
    }
    stops.dialogs(&["#records-button", "[data-side=p2] .seat-button", "#resign"]);
    assert!(stops.faults.is_empty(), "{}", stops.faults.join("\n"));
}

struct Stops<'a> {
    browser: &'a Browser,
    width: &'a str,
    faults: Vec<String>,
}

impl Stops<'_> {
    /// Looks at what is shown, in light and dark.
    fn look(&mut self, name: &str) {
        for _ in 0..2 {
            let theme = self
                .browser
                .run("return document.documentElement.dataset.theme");
            let name = format!("{name}-{}-{}", self.width, theme.as_str().unwrap_or("?"));
            self.check(&name);
            self.browser
                .run("document.dispatchEvent(new Event('linesman-theme'))");
        }
    }

    /// Looks at dialogs, each opened by a click.
    fn dialogs(&mut self, buttons: &[&str]) {
        for button in buttons {
            self.browser.click(button);
            self.dialog();
        }
    }

    /// Looks at the dialog that is open, and closes it.
    fn dialog(&mut self) {
        let name = self
            .browser
            .until("document.querySelector('dialog[open] h2')?.innerText");
        let name = name
            .as_str()
            .unwrap_or("dialog")
            .to_lowercase()
            .replace(' ', "-");
        self.look(&name);
        self.browser
            .run("document.querySelectorAll('dialog').forEach((dialog) => dialog.close())");
    }

    fn check(&mut self, name: &str) {
        // A change of colours is shown step by step.
        self.browser.until("document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations === Infinity)");
        self.browser.screenshot(name);
        let sideways = self.browser.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        if sideways != 0 {
            self.faults
                .push(format!("{name}: {sideways} pixels too wide"));
        }
        if self.browser.run("return typeof axe === 'undefined'") == true {
            self.browser.run(&format!("{AXE}; globalThis.axe = axe;"));
        }
        let violations = self.browser.promise(
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, help, nodes }) =>
               `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`))",
        );
        let violations = violations.as_array().cloned().unwrap_or_default();
        let told = violations.iter().filter_map(|it| it.as_str());
        self.faults
            .extend(told.map(|told| format!("{name}: {told}")));
    }
}
