//! Reports as HTML and SVG files.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::support::{Done, Folder, begins, has, lacks, python};

const GOOD: &str = "--engine builtin name=Good tc=20+0.1";
const BAD: &str = "--engine cmd=SCRIPTED arg=illegal name=Bad";

fn play(folder: &Folder, words: &str) {
    folder.linesman(&format!("match {words}")).exits(0);
}

fn stats(folder: &Folder, words: &str) -> Done {
    folder.linesman(&format!("stats {words}")).done()
}

fn write(folder: &Folder, words: &str) -> (String, String) {
    let done = stats(folder, &format!("{words} --html r.html --plot r.svg"));
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    (folder.read("r.html"), folder.read("r.svg"))
}

#[test]
fn a_match_is_reported_as_a_page_and_as_a_picture() {
    let folder = Folder::new("report");
    let test = "--sprt elo0=0 elo1=30";
    play(
        &folder,
        &format!("susan {GOOD} {BAD} --games 6 --each nodes=20 {test} --ledger m --pgn m.pgn"),
    );
    let text = stats(&folder, "m");
    let (page, svg) = write(&folder, "m");
    let llr = text.lines("SPRT ")[0].to_owned();
    has(&page, &llr);
    has(&page, "Bad made an illegal move: ");
    has(&page, "&lt; bestmove ");
    let n_games = folder.ledger("m").1.len();
    assert_eq!(page.matches("<tr data-game=").count(), n_games);
    has(&page, "Clock left after a move");
    has(&svg, "Clock left after a move");
    let mode = fs::metadata(folder.path("r.html"))
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0o066 & !umask(), "as readable as other files");
    // The PGN of the same match has no plan and no times.
    let (page, _) = write(&folder, "m.pgn");
    has(&page, "Good vs Bad");
    lacks(&page, "<h2>Plan</h2>");
    lacks(&page, "<h2>Time</h2>");
    well_formed(&folder, "r.svg");
}

/// The permission bits that this process removes from new files.
fn umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok())
        .unwrap_or(0o022)
}

/// Checks that an XML parser accepts the file.
fn well_formed(folder: &Folder, name: &str) {
    let python = or_skip!(python());
    let parse = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])";
    let parsed = Command::new(python)
        .args(["-c", parse])
        .arg(folder.path(name))
        .output();
    let parsed = parsed.expect("python runs");
    assert!(
        parsed.status.success(),
        "{}",
        String::from_utf8_lossy(&parsed.stderr)
    );
}

#[test]
fn hostile_names_are_text() {
    let folder = Folder::new("report-hostile");
    let hostile = "name=</style></svg><script>alert(1)</script>";
    play(
        &folder,
        &format!(
            "susan --engine builtin {hostile} --engine builtin name=A&B --games 2 --each nodes=20 --ledger m"
        ),
    );
    // Names that the command line rejects may be in a file.
    let text = folder.read("m").replace("A&B", "\\u001b[2J\\u202e");
    let line = |line: &str| match line.split_once(",\"crc32\"") {
        Some((line, _)) => format!("{line}}}\n"),
        None => format!("{line}\n"),
    };
    let no_checksums: String = text.lines().map(line).collect();
    folder.write("n", no_checksums);
    let (page, svg) = write(&folder, "n");
    for text in [page, svg] {
        lacks(&text, "<script");
        assert!(!text.contains('\u{1b}'));
        assert!(!text.contains('\u{202e}'));
        has(&text, "\\u{1b}[2J");
    }
    well_formed(&folder, "r.svg");
}

#[test]
fn too_few_games_and_games_without_rules_are_reported() {
    let folder = Folder::new("report-few");
    play(
        &folder,
        &format!("susan {GOOD} {BAD} --games 2 --each nodes=20 --ledger m"),
    );
    let text = folder.read("m");
    let plan = text.lines().next().expect("a plan").to_owned() + "\n";
    folder.write("empty", &plan);
    let (page, svg) = write(&folder, "empty");
    has(&page, "No finished games.");
    has(&page, "0 of 2 games");
    has(&svg, "No finished games.");
    // An unfinished match: one game, and a torn line.
    let half: String = text
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    folder.write("half", half + "{\"game\":2");
    let (page, _) = write(&folder, "half");
    has(&page, "1 of 2 games");
    has(&page, "Too few games for an Elo difference");
    let nim = env!("CARGO_BIN_EXE_nim-engine");
    let engines = format!("--engine cmd={nim} name=X --engine cmd={nim} name=Y");
    play(
        &folder,
        &format!("any {engines} --games 2 --each st=1 --openings none --ledger any"),
    );
    let (page, _) = write(&folder, "m any");
    has(&page, "<h2>Plan of match 2</h2>");
    has(&page, "susan, any: 4 players");
    has(&page, "<th class=\"n\" scope=\"col\">file</th>");
}

#[test]
fn a_report_replaces_a_report_and_nothing_else() {
    let folder = Folder::new("report-replace");
    play(
        &folder,
        &format!("susan {GOOD} {BAD} --games 2 --each nodes=20 --ledger m"),
    );
    let ledger = folder.read("m");
    let (page, svg) = write(&folder, "m");
    folder.write("r.html", &page[..400]);
    symlink("r.svg", folder.path("link.svg")).expect("a link");
    folder.write("r.svg", "");
    let done = stats(&folder, "m --html r.html --plot link.svg");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        (folder.read("r.html"), folder.read("r.svg")),
        (page.clone(), svg)
    );
    assert!(folder.path("link.svg").is_symlink());
    folder.write("mine.html", "<!DOCTYPE html>my own");
    let not_html = "not overwritten: name another file after --html";
    let not_plot = "not overwritten: name another file after --plot";
    for (words, file, why) in [
        ("--html m", "m", not_html),
        ("--html mine.html", "mine.html", not_html),
        ("--plot r.html", "r.html", not_plot),
        ("--html new --plot mine.html", "mine.html", "after --plot"),
        ("--html /dev/null", "/dev/null", "not a regular file"),
        ("--html no/such", "no/such", "No such file or directory"),
        ("--html same --plot same", "same", "not overwritten"),
    ] {
        let done = stats(&folder, &format!("m {words}"));
        assert_eq!(done.status, Some(1), "{words}");
        begins(&done.stderr, format!("error: {file}: "));
        has(&done.stderr, why);
        assert!(done.stderr.lines().count() == 1, "{}", done.stderr);
        assert!(done.stdout.is_empty(), "{words}");
    }
    assert_eq!(folder.read("m"), ledger);
    assert_eq!(folder.read("mine.html"), "<!DOCTYPE html>my own");
    assert_eq!(folder.read("r.html"), page);
    assert!(
        !folder.has("new"),
        "both files are checked before one is written"
    );
    let left = fs::read_dir(folder.path("")).expect("the folder");
    let names = left.flatten().map(|file| file.file_name());
    let mut names = names.map(|name| name.to_string_lossy().into_owned());
    assert!(
        !names.any(|name| name.starts_with(".linesman")),
        "no temporary file stays"
    );
}

/// The output of `stats` at a terminal with this locale.
fn at_a_terminal(folder: &Folder, locale: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linesman-test"));
    command
        .args(["stats", "m"])
        .current_dir(folder.path(""))
        .env("LC_ALL", locale);
    let mut terminal = rexpect::session::spawn_command(command, Some(120_000)).expect("it starts");
    let seen = terminal.exp_eof().expect("it ends");
    // The terminal returns each byte as a character.
    let bytes = seen.chars().map(|byte| u8::try_from(byte).expect("a byte"));
    String::from_utf8(bytes.collect()).expect("text")
}

#[test]
fn a_terminal_that_can_shows_the_elo_as_a_curve() {
    let folder = Folder::new("report-curve");
    let engines = "--engine builtin name=Good nodes=40 --engine builtin name=Other nodes=20";
    let openings = "--openings random:plies=4 --seed 5";
    play(
        &folder,
        &format!("susan {engines} --games 24 {openings} --ledger m"),
    );
    let shown = at_a_terminal(&folder, "en_US.UTF-8");
    let curve = shown.lines().find(|line| line.starts_with("Elo after "));
    let curve = curve.unwrap_or_else(|| panic!("no curve in {shown}"));
    has(&curve, " to 24 games: ");
    assert!(curve.contains(['▁', '█']), "{curve}");
    assert!(at_a_terminal(&folder, "C").is_ascii());
    let done = stats(&folder, "m");
    done.shows(0, "Elo after");
}
