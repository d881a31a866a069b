//! Checks of what a page shows, in light and dark mode: axe-core reports no violation, nothing is cut off, and a
//! screenshot is saved.

use crate::browser::Browser;

/// axe-core, which finds accessibility faults.
const AXE: &str = include_str!("../data/axe-core/axe.min.js");

/// The rules of axe-core: all, and those that the other theme may break.
const ALL_RULES: &str = "";
const RULES_OF_COLOURS: &str = "runOnly: ['color-contrast', 'link-in-text-block']";

/// True as soon as no animation of the page is running, except endless ones.
const IS_STILL: &str = "document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations === Infinity)";

/// The findings of all checks.
pub(crate) struct Stops<'a> {
    browser: &'a Browser,
    width: &'a str,
    faults: Vec<String>,
}

impl<'a> Stops<'a> {
    /// `width` is part of the names of the screenshots.
    pub(crate) fn new(browser: &'a Browser, width: &'a str) -> Stops<'a> {
        Stops {
            browser,
            width,
            faults: Vec::new(),
        }
    }

    /// Checks the page in light and dark mode.
    pub(crate) fn look(&mut self, name: &str) {
        for rules in [ALL_RULES, RULES_OF_COLOURS] {
            let theme = self
                .browser
                .string("document.documentElement.dataset.theme");
            let name = format!("{name}-{}-{theme}", self.width);
            self.check(&name, rules);
            self.browser
                .run("document.dispatchEvent(new Event('linesman-theme'))");
        }
    }

    /// Checks dialogs; a click on a button opens each.
    pub(crate) fn dialogs(&mut self, buttons: &[&str]) {
        for button in buttons {
            self.browser.centre(button);
            self.browser.click(button);
            self.dialog();
        }
    }

    /// Checks the open dialog, and closes it.
    pub(crate) fn dialog(&mut self) {
        let name = self.browser.text("dialog[open] h2").to_lowercase();
        self.look(name.trim_end_matches('?').replace(' ', "-").as_str());
        self.browser.close_dialogs();
    }

    /// Checks that there were no findings.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
    }

    fn check(&mut self, name: &str, rules: &str) {
        // A change of colours is animated.
        self.browser.until(IS_STILL);
        self.browser.screenshot(name);
        let sideways = self
            .browser
            .value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        if sideways != 0 {
            self.faults
                .push(format!("{name}: {sideways} pixels too wide"));
        }
        if self.browser.value("typeof axe === 'undefined'") == true {
            self.browser.run(&format!("{AXE}; globalThis.axe = axe;"));
        }
        let violations = self.browser.promise(&format!(
            "axe.run(document, {{ resultTypes: ['violations'], {rules} }}).then(({{ violations }}) => violations.map(({{ id, help, nodes }}) =>
               `${{id}}: ${{help}}: ${{nodes.slice(0, 3).map(({{ html }}) => html.slice(0, 160)).join(' | ')}}`))",
        ));
        let violations = violations.as_array().cloned().unwrap_or_default();
        let told = violations.iter().filter_map(|it| it.as_str());
        self.faults
            .extend(told.map(|told| format!("{name}: {told}")));
    }
}
