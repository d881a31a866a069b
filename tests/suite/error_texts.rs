//! The errors on the games' pages are those that the games report: each is the end of one in the cases of the game's tests.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).expect(path)
}

/// The errors in the tables of a page: the text between backticks in the column `error`. An error that begins with `...
/// ` is the end of a message.
fn errors_on_page(game: &str) -> Vec<String> {
    let page = read(&format!("spec/{game}.md"));
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut column = None;
    let mut errors = Vec::new();
    for line in page.lines() {
        if !line.starts_with('|') {
            column = None;
            continue;
        }
        let cells = cells(line);
        match column {
            None => column = Some(cells.iter().position(|cell| cell == "error")),
            Some(Some(column)) => {
                let quoted = cells[column].split('`').skip(1).step_by(2);
                errors.extend(quoted.map(|error| error.trim_start_matches("... ").to_owned()));
            }
            Some(None) => {}
        }
    }
    errors
}

#[test]
fn the_pages_quote_what_is_printed() {
    let mut missing = Vec::new();
    for game in ["graph-hockey", "gobblet", "susan", "projex", "entropy"] {
        let cases = ["rules", "notation", "diagram"]
            .map(|name| read(&format!("engines/{game}/tests/suite/data/{name}.txt")));
        let is_error = |line: &&str| line.starts_with("refuses ") || line.starts_with("bad ");
        let printed = || cases.iter().flat_map(|text| text.lines().filter(is_error));
        let errors = errors_on_page(game);
        assert!(errors.len() > 5, "{game}: {errors:?}");
        for error in errors {
            if !printed().any(|line| line.ends_with(&error)) {
                missing.push(format!("{game}: {error}"));
            }
        }
    }
    assert!(missing.is_empty(), "not printed: {missing:#?}");
}
