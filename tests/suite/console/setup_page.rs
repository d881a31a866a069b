//! The transcript of `setup` on the page, typed again.

use super::pty::Terminal;
use crate::support::{Folder, begins};

const PROMPTS: [&str; 3] = ["1. O> ", "setup> ", "O or S> "];

#[test]
fn the_page_shows_what_setup_says() {
    let page = include_str!("../../../spec/play.md");
    let block = page.split("```text\n1. O> setup\n").nth(1);
    let block = block.and_then(|block| block.split("```").next());
    let expected = format!("1. O> setup\n{}", block.expect("a transcript of setup"));
    let folder = Folder::new("setup-page");
    let mut terminal = Terminal::dumb(&folder, "play entropy --p2 human", (80, 24));
    let mut seen = String::new();
    for line in expected.lines() {
        let found = PROMPTS
            .iter()
            .find_map(|prompt| Some((prompt, line.strip_prefix(prompt)?)));
        let Some((prompt, typed)) = found else {
            continue;
        };
        let before = terminal.sees(prompt);
        if !seen.is_empty() {
            seen += &before;
        }
        // The test's terminal does not echo.
        seen += &format!("{prompt}{typed}\n");
        terminal.types(typed);
    }
    seen += &terminal.sees("1. O> ");
    let seen = seen.replace('\r', "");
    begins(&seen, &expected);
    terminal.quits();
}
