//! Ledgers and PGN files: resumed, extended, old, foreign, damaged.

use crate::support::{Done, Folder, begins, has};

fn fails(done: &Done, status: i32, why: &str) {
    assert_eq!(done.status, Some(status), "{}", done.stderr);
    has(&done.stderr, why);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}

fn plays(folder: &Folder, words: &str) -> Done {
    folder.linesman(words).exits(0)
}

/// Resumes a ledger truncated after `n_lines` lines.
fn cut(folder: &Folder, name: &str, n_lines: usize) {
    let text = folder.read(name);
    let kept: Vec<&str> = text.split_inclusive('\n').take(n_lines).collect();
    std::fs::write(folder.path(name), kept.concat()).expect("the ledger can be written");
}

/// An engine that records, at each start, whether the file `l` is locked.
fn write_watchful_engine(folder: &Folder) {
    let script = format!(
        "#!/bin/sh\ntest -e l && if flock -n l true; then echo free; else echo locked; fi >> seen\nexec {} engine susan\n",
        env!("CARGO_BIN_EXE_linesman-test")
    );
    std::fs::write(folder.path("watchful"), script).expect("a new file");
    folder.shell("chmod +x watchful").exits(0);
}

#[test]
fn a_resumed_match_locks_its_ledger_before_it_starts_engines() {
    let folder = Folder::new("locked");
    write_watchful_engine(&folder);
    plays(
        &folder,
        "match susan --engine cmd=./watchful name=A --games 2 --each nodes=20 --ledger l",
    );
    cut(&folder, "l", 2);
    std::fs::write(folder.path("seen"), "").expect("a new file");
    plays(&folder, "match --resume l");
    assert_eq!(folder.read("seen"), "locked\n");
    assert_eq!(folder.ledger("l").1.len(), 2);
}

#[test]
fn a_resumed_game_locks_its_ledger_before_it_starts_engines() {
    let folder = Folder::new("locked-game");
    write_watchful_engine(&folder);
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 'cmd=./watchful st=0.02' --ledger l";
    folder.shell(begin).exits(0);
    std::fs::write(folder.path("seen"), "").expect("a new file");
    let go_on = "printf 'resign\\nresign\\n' | LINESMAN play --continue l";
    folder.shell(go_on).exits(0);
    assert_eq!(folder.read("seen"), "locked\n");
}

#[test]
fn matches_of_the_same_second_have_ledgers_of_their_own() {
    let folder = Folder::new("same-second");
    let runs: Vec<_> = (0..4)
        .map(|_| folder.linesman("match susan --games 2 --each nodes=20"))
        .collect();
    let mut ledgers: Vec<String> = runs
        .into_iter()
        .map(|run| {
            let done = run.exits(0);
            done.lines("ledger: ")[0].to_owned()
        })
        .collect();
    ledgers.sort();
    ledgers.dedup();
    assert_eq!(ledgers.len(), 4);
}

#[test]
fn a_resumed_match_takes_few_flags() {
    let folder = Folder::new("resume-flags");
    plays(
        &folder,
        "match susan --games 2 --each nodes=20 --ledger l --seed 4",
    );
    let before = folder.read("l");
    for flag in [
        "--seed 5",
        "--engine builtin",
        "--each st=1",
        "--ledger m",
        "--noswap",
        "--dry-run",
        "--ping-ms 9",
    ] {
        let done = folder.linesman(&format!("match --resume l {flag}")).done();
        let name = flag.split(' ').next().expect("a flag");
        fails(
            &done,
            2,
            &format!("{name}: fixed by the plan in the ledger"),
        );
    }
    fails(
        &folder.linesman("match susan --resume l").done(),
        2,
        "GAME: fixed by the plan",
    );
    fails(
        &folder.linesman("match --resume l --games 1").done(),
        2,
        "--games: 1: expected 2 or more",
    );
    let complete = plays(&folder, "match --resume l --concurrency 2");
    complete.shows(1, " 1  ");
    assert_eq!(folder.read("l"), before, "a complete match is left alone");
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
    let three = "match susan --engine builtin --engine builtin --engine builtin --games 1 --each nodes=20 --ledger odd";
    plays(&folder, three);
    fails(
        &folder.linesman("match --resume odd --games 2").done(),
        2,
        "--games: a match of 3 engines",
    );
}

#[test]
fn a_foreign_plan_runs_no_command_unasked() {
    let folder = Folder::new("foreign");
    let line = "match susan --engine cmd=SCRIPTED name=A --games 2 --openings none --each nodes=20 --ledger l --pgn p";
    plays(&folder, line);
    cut(&folder, "l", 2);
    plays(&folder, "match --resume l");
    cut(&folder, "l", 2);
    std::fs::remove_dir_all(folder.path("state")).expect("the state was kept");
    fails(
        &folder.linesman("match --resume l").done(),
        2,
        "l was not begun on this machine, or was changed, and runs ",
    );
    assert_eq!(folder.ledger("l").1.len(), 1);
    plays(&folder, "match --resume l --trust");
    assert_eq!(folder.ledger("l").1.len(), 2);
}

#[test]
fn a_foreign_game_runs_no_command_unasked() {
    let folder = Folder::new("foreign-play");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 'cmd=SCRIPTED st=0.02' --ledger l";
    folder.shell(begin).exits(0);
    let go_on = |words: &str| folder.linesman(&format!("play --continue {words}")).done();
    assert_eq!(go_on("l").status, Some(0), "it was begun here");
    std::fs::remove_dir_all(folder.path("state")).expect("the state was kept");
    let before = folder.read("l");
    let why = "--continue: l was not begun on this machine, or was changed, and runs ";
    fails(&go_on("l"), 2, why);
    assert_eq!(folder.read("l"), before);
    // An engine replaced by another player is not run.
    assert_eq!(go_on("l --p2 human").status, Some(0));
    assert_eq!(go_on("l --trust").status, Some(0));
    fails(&go_on("l"), 2, why);
}

/// The helper's line is not part of the plan, whose hash is known.
#[test]
fn a_command_that_was_put_into_the_journal_is_not_run_unasked() {
    let folder = Folder::new("foreign-helper");
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger l";
    folder.shell(begin).exits(0);
    let command = r#"{"command":{"path":"/bin/evil","args":[],"dir":null}}"#;
    let text = folder.read("l");
    let own = text.lines().find(|line| line.contains("\"helper\""));
    let own = own.expect("the helper's line");
    // Older ledgers have no checksums.
    let (body, _) = own.split_once(",\"crc32\"").expect("a checksum");
    let evil = body.replacen("\"builtin\"", command, 1) + "}";
    has(&evil, "evil");
    let text = text.replace(own, &evil);
    std::fs::write(folder.path("l"), text).expect("the ledger can be written");
    fails(
        &folder.linesman("play --continue l").done(),
        2,
        "--continue: l was not begun on this machine, or was changed, and runs /bin/evil",
    );
}

#[test]
fn a_game_that_was_saved_here_is_known() {
    let folder = Folder::new("saved-play");
    let begin =
        "printf 'e5\\nsave s\\n' | LINESMAN play susan --p2 'cmd=SCRIPTED st=0.02' --ledger l";
    folder.shell(begin).exits(0);
    folder.linesman("play --continue s").exits(0);
}

#[test]
fn games_of_the_same_second_have_ledgers_of_their_own() {
    let folder = Folder::new("same-second-play");
    let runs: Vec<_> = (0..6)
        .map(|_| folder.shell("printf 'e5\\n' | LINESMAN play susan --p2 human"))
        .collect();
    for run in runs {
        run.exits(0);
    }
    let files = std::fs::read_dir(folder.path(".")).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name());
    let ledgers = names.filter(|name| name.to_string_lossy().ends_with(".jsonl"));
    assert_eq!(ledgers.count(), 6);
}

#[test]
fn built_in_engines_never_ask() {
    let folder = Folder::new("builtin-trust");
    plays(&folder, "match susan --games 2 --each nodes=20 --ledger l");
    std::fs::remove_dir_all(folder.path("state")).expect("the state was kept");
    cut(&folder, "l", 2);
    plays(&folder, "match --resume l");
}

#[test]
fn no_file_but_the_pgn_of_the_match_is_overwritten() {
    let folder = Folder::new("overwrite");
    plays(
        &folder,
        "match susan --games 4 --each nodes=20 --ledger l --pgn p",
    );
    plays(
        &folder,
        "match susan --games 2 --each nodes=20 --ledger other --pgn q",
    );
    let whole = folder.read("p");
    cut(&folder, "l", 3);
    std::fs::write(folder.path("p"), &whole[..whole.len() / 4]).expect("a torn PGN");
    plays(&folder, "match --resume l --pgn p");
    assert_eq!(folder.read("p").matches("[Round ").count(), 4);
    cut(&folder, "l", 2);
    for text in ["My thesis\n", &folder.read("q")] {
        std::fs::write(folder.path("p"), text).expect("another file");
        fails(
            &folder.linesman("match --resume l --pgn p").done(),
            1,
            "not the PGN of this match",
        );
        assert_eq!(folder.read("p"), text);
    }
    plays(&folder, "match --resume l --pgn r");
    assert_eq!(folder.read("r").matches("[Round ").count(), 4);
    assert_eq!(folder.read("p"), folder.read("q"));
}

#[test]
fn a_changed_line_is_named() {
    let folder = Folder::new("changed");
    plays(&folder, "match susan --games 3 --each nodes=20 --ledger l");
    let text = folder.read("l");
    let swapped: String = text
        .split_inclusive('\n')
        .map(|line| line.replacen("\"game\":2,", "\"game\":4,", 1))
        .collect();
    std::fs::write(folder.path("l"), swapped).expect("it can be written");
    for words in ["stats l", "show l", "match --resume l"] {
        fails(
            &folder.linesman(words).done(),
            1,
            "l: line 3: changed: its crc32 is ",
        );
    }
    let doubled = text.clone() + text.lines().last().expect("a game") + "\n";
    std::fs::write(folder.path("l"), doubled).expect("it can be written");
    fails(
        &folder.linesman("stats l").done(),
        1,
        "l: line 5: game 3 again: it is already in line 4",
    );
}

/// Editors and copies by hand may lose the last line break.
#[test]
fn a_last_line_without_its_line_break_is_read() {
    let folder = Folder::new("no-break");
    plays(
        &folder,
        "match susan --games 4 --each nodes=20 --ledger l --seed 4",
    );
    cut(&folder, "l", 4);
    let text = folder.read("l");
    std::fs::write(folder.path("l"), text.trim_end()).expect("it can be written");
    let shown = plays(&folder, "show l 3");
    shown.shows(1, "Finished game 3 ");
    assert_eq!(shown.stderr, "");
    plays(&folder, "match --resume l");
    assert!(folder.read("l").starts_with(&text), "game 3 is kept");
    assert_eq!(folder.ledger("l").1.len(), 4);
}

#[test]
fn a_torn_last_line_is_named() {
    let folder = Folder::new("torn");
    plays(&folder, "match susan --games 3 --each nodes=20 --ledger l");
    plays(&folder, "match susan --games 2 --each nodes=20 --ledger m");
    let text = folder.read("l");
    std::fs::write(folder.path("l"), &text[..text.len() - 40]).expect("it can be written");
    let warning = "warning: l: line 4 is incomplete and is left out\n";
    for words in ["stats l", "show l 2", "match --resume l"] {
        assert_eq!(plays(&folder, words).stderr, warning, "{words}");
    }
    assert_eq!(folder.ledger("l").1.len(), 3);
    assert_eq!(plays(&folder, "stats l").stderr, "");
    // A line of an older version has no checksum that tells whether it is whole.
    let (old, _) = text.rsplit_once(",\"crc32\"").expect("a checksum");
    std::fs::write(folder.path("l"), format!("{old}}}")).expect("it can be written");
    assert_eq!(plays(&folder, "stats l").stderr, warning);
    let begin = "printf 'e5\\n' | LINESMAN play susan --p2 human --ledger p";
    folder.shell(begin).exits(0);
    let game = folder.read("p");
    std::fs::write(folder.path("p"), game.trim_end().to_owned() + "\n{\"jour").expect("a ledger");
    let done = plays(&folder, "play --continue p");
    begins(&done.stderr, "warning: p: line ");
}

#[test]
fn a_ledger_without_games_says_so() {
    let folder = Folder::new("no-games");
    plays(&folder, "match susan --games 1 --each nodes=20 --ledger l");
    let text = folder.read("l");
    let (plan, _) = text.split_once('\n').expect("lines");
    std::fs::write(folder.path("plan"), format!("{plan}\n")).expect("it can be written");
    let none = plays(&folder, "stats plan");
    assert_eq!(none.stdout[0], "no games with a result");
    none.shows(0, "    engine");
    std::fs::write(folder.path("torn"), &plan[..plan.len() / 2]).expect("it can be written");
    let done = folder.linesman("stats torn").done();
    let error = "error: torn: line 1: incomplete: expected the plan of a match\n";
    assert_eq!((done.status, done.stderr.as_str()), (Some(1), error));
}

/// Control characters in ledgers and PGN files do not reach the terminal.
#[test]
fn nothing_foreign_reaches_the_terminal_raw() {
    let folder = Folder::new("hostile");
    folder.copy_data("old-match.jsonl");
    let text = folder.read("old-match.jsonl");
    let evil = r"x\u001b[2J\u202e\u009bm\nFinished game 9";
    let text = text.replace("Linesman susan 0.1.0 #2", evil);
    std::fs::write(folder.path("l"), text).expect("a new file");
    let pgn = "[White \"a\u{1b}[2J\"]\n[Black \"b\u{202e}\"]\n\n1. \u{1b}x 1-0\n";
    std::fs::write(folder.path("p"), pgn).expect("a new file");
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
fn an_error_cannot_forge_a_line() {
    let folder = Folder::new("forged");
    folder.copy_data("old-match.jsonl");
    let text = folder.read("old-match.jsonl");
    let evil = r#""termination":"x\nFinished game 9""#;
    let forged = text.replacen(r#""termination":"normal""#, evil, 1);
    assert_ne!(forged, text);
    std::fs::write(folder.path("l"), forged).expect("a new file");
    for words in ["stats l", "show l", "match --resume l"] {
        let done = folder.linesman(words).fails(1, r"x\u{a}Finished game 9");
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}

#[test]
fn records_of_an_older_version_are_read() {
    let folder = Folder::new("old");
    for name in ["old-match.jsonl", "old-match.pgn"] {
        folder.copy_data(name);
    }
    for file in ["old-match.jsonl", "old-match.pgn"] {
        let stats = plays(&folder, &format!("stats {file}"));
        stats.shows(1, "Linesman susan 0.1.0 vs Linesman susan 0.1.0 #2: +");
        let show = plays(&folder, &format!("show {file} 3"));
        show.shows(1, "Finished game 3 ");
    }
    fails(
        &folder
            .linesman("stats old-match.jsonl old-match.pgn")
            .done(),
        2,
        "old-match.pgn repeats old-match.jsonl",
    );
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
    std::fs::write(folder.path("old-match.jsonl"), torn).expect("a torn ledger");
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

#[test]
fn a_game_of_an_older_version_is_continued() {
    let folder = Folder::new("old-play");
    folder.copy_data("old-play.jsonl");
    let line = "printf 'resign\\nresign\\n' | LINESMAN play --continue old-play.jsonl";
    folder.shell(line).exits(0);
    let text = folder.read("old-play.jsonl");
    let last = text.lines().last().expect("a record");
    has(&last, "\"moves\":[\"e5\",\"b2\"");
    has(&last, "\"result\":\"0-1\"");
}

#[test]
fn a_command_that_names_no_ledger_changes_none() {
    let folder = Folder::new("no-ledger");
    std::fs::write(folder.path("notes"), "no line break").expect("a new file");
    fails(
        &folder.linesman("match --resume notes").done(),
        1,
        "notes: line 1: incomplete",
    );
    assert_eq!(folder.read("notes"), "no line break");
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
            "error: --resume: l was begun with {flag}, which version 0.2 had: expected version 0.2 to play it\n"
        );
        assert_eq!(done.stderr, why);
        assert_eq!(folder.read("l"), text, "it stays as it is");
    }
}
