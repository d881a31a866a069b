//! Lessons, puzzles and the names of marks.

use serde_json::json;

use crate::browser::{Device, press};
use crate::game::{Game, Gesture, spot};
use crate::stops::Stops;

/// Waits until the board of the exercise accepts a move.
fn wait_for_exercise(page: &Game) {
    page.until("$('.exercise .spot.next')");
}

/// Waits until the title of the exercise begins so.
fn wait_for_title(page: &Game, start: &str) {
    page.until(&format!(
        "$('.study .soft')?.textContent.startsWith('{start}')"
    ));
}

/// The text of the result of a move in the exercise.
const RESULT: &str = "$('.study .result')?.textContent";

#[test]
fn a_lesson_is_offered_once_and_leads_to_a_game() {
    let page = or_skip!(Game::from_lobby());
    // On the first visit the main button teaches.
    let main = "new Set($$('.card .primary').map((it) => it.textContent))";
    let main = format!("[...{main}].join()");
    assert_eq!(page.value(&main), "Learn");
    page.click("[data-play=gobblet]");
    page.wait_until_usable();
    page.click("#lesson-decline");
    page.click("#brand");
    assert_eq!(page.value(&main), "Play");
    page.click("[data-play=gobblet]");
    page.wait_until_usable();
    page.until("$('#lesson-offer').hidden");
    page.click("#brand");

    page.click("[data-learn=susan]");
    wait_for_exercise(&page);
    let mut stops = Stops::new(&page, "wide");
    stops.look("lesson");
    page.click(&format!(".exercise {}", spot("c3")));
    page.until(&format!("{RESULT}.startsWith('Right')"));
    for step in ["Step 2", "Step 3"] {
        page.click("#lesson-next");
        wait_for_title(&page, step);
    }
    wait_for_exercise(&page);
    // A wrong move is judged by the rules, and can be tried again.
    page.click(&format!(".exercise {}", spot("e3")));
    page.until(&format!("{RESULT}.includes('Not e3')"));
    page.click("#lesson-again");
    wait_for_exercise(&page);
    // A refused click says why, on the board.
    page.click(&format!(".exercise {}", spot("a1")));
    page.until("$('.exercise .refusal:not([hidden])')");
    page.click("#lesson-hint");
    page.until("$('.exercise .mark')");
    page.click(&format!(".exercise {}", spot("b2")));
    page.until(&format!("{RESULT}.includes('surrounded')"));
    stops.look("lesson-right");
    stops.assert_clean();
    for step in 4..=7 {
        page.click("#lesson-next");
        wait_for_title(&page, &format!("Step {step}"));
    }
    page.click("#lesson-next");
    page.click("#lesson-play");
    page.wait_until_usable();
    page.until("$('#lesson-offer').hidden");
}

#[test]
fn a_lesson_has_the_moves_that_are_buttons_and_shows_no_threat() {
    let page = or_skip!(Game::from_lobby());
    page.click("[data-learn=projex]");
    for step in 1..=7 {
        if step > 1 {
            page.click("#lesson-next");
        }
        wait_for_title(&page, &format!("Step {step}"));
        wait_for_exercise(&page);
        // The copies around the board repeat its layer.
        let shown = page.value("$$('.exercise .shapes > .threat').some((it) => getComputedStyle(it).display !== 'none' || !it.parentElement.matches('.untold'))");
        assert_eq!(shown, false, "step {step}");
    }
    page.click("#lesson-hint");
    page.click(".exercise .primary[data-code=swap]");
    page.until(&format!("{RESULT}.startsWith('Right')"));
}

/// Sets the date so that the first puzzle of Gobblet! is today's.
const ON_ITS_DAY: &str = "
const Now = Date, { puzzles } = linesman.game('gobblet');
Date = class extends Now {
  constructor() { super((1000 * puzzles + 0.5) * 86_400_000); }
};";

/// Makes the first move of the solution after some moves, or another one. Returns the code.
#[track_caller]
fn enter(page: &Game, moves: &[&str], is_right: bool) -> String {
    let which = format!("game: 'gobblet', puzzle: 0, moves: {moves:?}");
    let gesture = page.promise(&format!(
        "Promise.all([linesman.ask('exercise', {{ {which}, act: 'solve' }}), linesman.ask('exercise', {{ {which}, act: 'show' }})])
           .then(([{{ line }}, {{ view }}]) => view.diagram.gestures.find(({{ code }}) => (code === line[0]) === {is_right}))"
    ));
    let gesture: Gesture = serde_json::from_value(gesture).expect("a gesture");
    wait_for_exercise(page);
    for id in &gesture.spots {
        page.click(&format!(".exercise {}", spot(id)));
    }
    gesture.code
}

#[test]
fn a_puzzle_is_tried_solved_and_shown() {
    let page = or_skip!(Game::from_lobby());
    page.run(ON_ITS_DAY);
    page.click("[data-puzzle=gobblet]");
    page.until("$('#puzzle-task').textContent.includes(': win in')");
    let mut stops = Stops::new(&page, "wide");
    stops.look("puzzle");
    stops.assert_clean();
    let wrong = enter(&page, &[], false);
    page.until(&format!("{RESULT}.includes('Not {wrong}')"));
    page.click("#puzzle-again");
    let first = enter(&page, &[], true);
    page.until(&format!("{RESULT}.includes('The answer is')"));
    let reply = page.text(".study .result code");
    enter(&page, &[&first, &reply], true);
    page.until(&format!("{RESULT}.includes('Solved with 2 tries')"));
    let kept = page.value("JSON.parse(localStorage.getItem('linesman-puzzles'))");
    assert_eq!(kept["streak"], 1);
    assert_eq!(kept["solved"]["gobblet"], json!([0]));
    page.click("#puzzle-next");
    wait_for_title(&page, "Puzzle 2");
    wait_for_exercise(&page);
    // The page reports that the server finds no solution, or does not answer.
    page.run("linesman.realAsk = linesman.ask; linesman.ask = async () => ({ line: [] })");
    page.click("#puzzle-solve");
    page.until(&format!("{RESULT}.includes('No solution was found')"));
    page.run("linesman.ask = linesman.realAsk");
    page.click("#puzzle-solve");
    page.until(&format!("/^The solution: \\S+/.test({RESULT})"));
    // A puzzle has an address, for a reload and for Back.
    page.reload();
    wait_for_title(&page, "Puzzle 2");
    assert_eq!(page.value("location.pathname"), "/puzzle/gobblet/2");
    page.run(ON_ITS_DAY);
    page.back();
    page.until("!$('dialog')");
    page.until("$('.lobby').innerText.includes('Puzzles of the day: 1 day')");
}

#[test]
fn a_resting_finger_learns_the_name_of_a_mark() {
    let page = or_skip!(Game::on(
        Device::Phone,
        &["susan:Size=3", "--p1", "human", "--p2", "human"],
    ));
    page.reopen("susan", &json!({ "Size": 3 }), ["human"; 2], "a1 b1 c3 b2");
    let title = page.text(&format!("{} title", spot("a1")));
    assert!(title.contains("one empty cell next to it"), "{title}");
    page.browser.finger(&spot("a1"), &[press()]);
    page.until("$('#refusal').textContent.includes('one empty cell')");
    page.release();
    page.wait_for_ply(4);
    let named = page.text("#legend");
    assert!(named.contains("one empty cell"), "{named}");
}
