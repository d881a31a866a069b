//! Ledgers and PGN files: resumed, extended, old, foreign, damaged.

use crate::support::{Done, Folder, has};

fn plays(folder: &Folder, words: &str) -> Done {
    folder.linesman(words).exits(0)
}

#[test]
fn a_match_can_be_extended() {
    let folder = Folder::new("extend");
    let words = "match susan --openings random:plies=3 --each nodes=30 --seed 4";
    plays(&folder, &format!("{words} --games 3 --ledger l --pgn p"));
    plays(&folder, "match --resume l --games 7 --quiet --pgn p");
    plays(&folder, &format!("{words} --games 7 --ledger whole"));
    let openings = |name: &str| {
        let (_, lines) = folder.ledger(name);
        let games = lines
            .into_iter()
            .filter(|line| line.get("result").is_some());
        games
            .map(|game| (game["game"].clone(), game["opening"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(openings("l"), openings("whole"));
    let extend: Vec<_> = folder
        .ledger("l")
        .1
        .into_iter()
        .filter(|line| line.get("extend").is_some())
        .collect();
    assert_eq!(extend.len(), 1);
    assert_eq!(extend[0]["extend"]["games"], 7);
    assert_eq!(folder.read("p").matches("[Round ").count(), 7);
}

/// Control characters in ledgers and PGN files do not reach the terminal.
#[test]
fn nothing_foreign_reaches_the_terminal_raw() {
    let folder = Folder::new("hostile");
    folder.copy_data("old-match.jsonl");
    let text = folder.read("old-match.jsonl");
    let evil = r"x\u001b[2J\u202e\u009bm\nFinished game 9";
    let text = text.replace("Linesman susan 0.1.0 #2", evil);
    folder.write("l", text);
    let pgn = "[White \"a\u{1b}[2J\"]\n[Black \"b\u{202e}\"]\n\n1. \u{1b}x 1-0\n";
    folder.write("p", pgn);
    let names = "x\\u{1b}[2J\\u{202e}\\u{9b}m\\u{a}Finished game 9";
    for words in [
        "stats l",
        "show l",
        "match --resume l",
        "stats p",
        "show p",
        "stats l --json",
        "match --resume l --json",
    ] {
        let done = folder.linesman(words).exits(0);
        let all = done.stdout.join("\n");
        let is_raw = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!all.contains(is_raw), "{words}: {all:?}");
        done.shows(0, "Finished game 9");
        let is_named = all.contains(names) || words.contains(" p") || words.contains("--json");
        assert!(is_named, "{words}: {all}");
    }
}

#[test]
fn a_match_of_an_older_version_is_resumed_and_extended() {
    let folder = Folder::new("old-resume");
    folder.copy_data("old-match.jsonl");
    let whole = folder.read("old-match.jsonl");
    plays(&folder, "match --resume old-match.jsonl --pgn p");
    assert_eq!(folder.read("old-match.jsonl"), whole, "it is complete");
    assert_eq!(folder.read("p").matches("[Round ").count(), 4);
    let torn = &whole[..whole.len() - 40];
    folder.write("old-match.jsonl", torn);
    plays(&folder, "match --resume old-match.jsonl --games 6 --pgn q");
    let (_, lines) = folder.ledger("old-match.jsonl");
    let games: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["game"].as_u64())
        .collect();
    assert_eq!(games, [1, 2, 3, 4, 5, 6]);
    let (plan, _) = folder.ledger("old-match.jsonl");
    let opening = |index: usize| {
        lines
            .iter()
            .find(|line| line["game"] == index)
            .map(|line| line["opening"].clone())
    };
    assert_eq!(opening(3), Some(plan["plan"]["openings"][1].clone()));
    assert_eq!(opening(5), opening(6));
    assert_ne!(opening(5), opening(1), "a new one is drawn");
    assert_eq!(folder.read("q").matches("[Round ").count(), 6);
}

/// Ledgers of matches that only version 0.2 could play: read, and resumed by that version alone.
#[test]
fn what_a_match_of_version_0_2_needs_is_named() {
    for (file, flag, players) in [
        ("knockout", "--format knockout", "B vs C"),
        ("teams", "--team", "A+B vs C"),
        ("seeds", "--seeds", "A vs C"),
        ("arbiter", "--arbiter", "A vs B"),
        ("cross-check", "--cross-check", "Linesman"),
    ] {
        let folder = Folder::new("old-flags");
        folder.copy_data_as(&format!("ledgers-0.2/{file}.jsonl"), "l");
        let text = folder.read("l");
        let stats = plays(&folder, "stats l --html r.html");
        assert!(stats.stderr.is_empty(), "{file}: {}", stats.stderr);
        for name in players.split(" vs ") {
            let row = stats.stdout.iter().any(|line| line.contains(name));
            assert!(row, "{file}: {:?}", stats.stdout);
        }
        assert!(folder.read("r.html").contains("1-0") || folder.read("r.html").contains("0-1"));
        let shown = plays(&folder, "show l 1");
        has(&shown.stdout, players);
        let done = folder.linesman("match --resume l --trust").exits(2);
        let why = format!(
            "error: --resume: l was begun with {flag}, which version 0.2 had: version 0.2 plays it\n"
        );
        assert_eq!(done.stderr, why);
        assert_eq!(folder.read("l"), text, "it stays as it is");
    }
}
