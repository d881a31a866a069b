//! TOML files: a user's engines, and plans of matches.

use serde_json::Value;

use crate::support::{Done, Folder, SCRIPTED};

fn plays(folder: &Folder, words: &str) -> Done {
    let done = folder.linesman(words).done();
    assert_eq!(done.status, Some(0), "{words}: {}", done.stderr);
    done
}

fn refused(folder: &Folder, words: &str, status: i32, why: &str) {
    let done = folder.linesman(words).done();
    assert_eq!(done.status, Some(status), "{words}: {}", done.stderr);
    assert!(done.stderr.contains(why), "{words}: {}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}

fn write(folder: &Folder, name: &str, text: &str) {
    let path = folder.path(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
    std::fs::write(path, text.replace("SCRIPTED", SCRIPTED)).expect("a new file");
}

/// The plan of a ledger, without the values that differ between runs.
fn plan(folder: &Folder, ledger: &str) -> Value {
    let (mut line, _) = folder.ledger(ledger);
    let plan = line["plan"].as_object_mut().expect("a plan");
    for field in ["id", "date", "ledger"] {
        assert!(plan.remove(field).is_some(), "{field}");
    }
    line["plan"].take()
}

const ENGINES: &str = r#"
[[engine]]
name = "Mine"
cmd = "SCRIPTED"
args = ["options"]
nodes = 20
timemargin = 50
options = { Hash = 4 }

[[engine]]
name = "Ours"
builtin = true
depth = 2
option."Skill Level" = 3
"#;

#[test]
fn an_engine_is_found_by_its_name() {
    let folder = Folder::new("conf");
    write(&folder, "config/linesman/engines.toml", ENGINES);
    plays(
        &folder,
        "match susan --engine conf=Mine --engine conf=Ours depth=1 name=Other --games 2 --ledger l",
    );
    let (plan, games) = folder.ledger("l");
    let engines = &plan["plan"]["engines"];
    assert_eq!(engines[0]["name"], "Mine");
    assert_eq!(engines[0]["program"]["command"]["path"], SCRIPTED);
    assert_eq!(engines[0]["limit"], "nodes=20");
    assert_eq!(engines[0]["margin_ms"], 50);
    assert_eq!(engines[0]["options"][0][1], "4");
    assert_eq!(engines[1]["name"], "Other");
    assert_eq!(engines[1]["limit"], "depth=1", "the word beside it wins");
    assert_eq!(engines[1]["options"][0][0], "Skill Level");
    assert_eq!(games.len(), 2);
}

#[test]
fn the_engines_file_is_named_by_a_flag_and_its_paths_count_from_its_folder() {
    let folder = Folder::new("engines-flag");
    let script = format!("#!/bin/sh\npwd > where\nexec {SCRIPTED}\n");
    write(&folder, "sub/mine", &script);
    assert_eq!(
        folder
            .shell("chmod +x sub/mine; mkdir sub/at")
            .done()
            .status,
        Some(0)
    );
    let text = "[[engine]]\nname = 'M'\ncmd = './mine'\ndir = 'at'\nstderr = 'noise'\n";
    write(&folder, "sub/e.toml", text);
    plays(
        &folder,
        "match susan --engines sub/e.toml --engine conf=M --games 2 --each nodes=20 --ledger l",
    );
    assert!(folder.read("sub/at/where").trim_end().ends_with("/sub/at"));
    assert!(folder.path("sub/noise").exists());
}

#[test]
fn faults_of_an_engines_file_are_named_with_line_and_key() {
    let folder = Folder::new("engines-faults");
    for (text, why) in [
        (
            "[[engine]]\nname = 'A'\ncdm = 'x'\n",
            "e: line 3: cdm: unknown key: expected cmd",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\nlimit = 1\n",
            "e: line 4: limit: unknown key: expected ",
        ),
        (
            "[[engines]]\nname = 'A'\n",
            "e: line 1: engines: unknown key: expected engine",
        ),
        (
            "[[engine]]\ncmd = 'x'\n",
            "e: line 1: name: missing: expected a name",
        ),
        (
            "[[engine]]\nname = 'A'\n",
            "e: line 1: cmd: missing: expected cmd",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\ntc = 'soon'\n",
            "e: line 4: tc: ",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\nst = 1\ndepth = 3\n",
            "e: line 1: st= and depth=",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\noptions = 3\n",
            "e: line 4: options: expected a table",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\nponder = 'x'\n",
            "e: line 4: ponder: ",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\nproto = 'xboard'\n",
            "e: line 4: proto: proto=xboard: expected ugi",
        ),
        (
            "[[engine]]\nname = 'A'\nconf = 'B'\n",
            "e: line 1: conf: expected the words of the engine",
        ),
        (
            "[[engine]]\nname = 'A'\ncmd = 'x'\n[[engine]]\ncmd = 'y'\nname = 'A'\n",
            "e: line 4: name: \"A\": line 1 has an engine of this name",
        ),
        ("[[engine]\n", "e: line 1: "),
        ("engine = 3\n", "e: line 1: engine: invalid type: integer"),
    ] {
        write(&folder, "e", text);
        refused(&folder, "engines --engines e", 2, why);
        refused(
            &folder,
            "match susan --engines e --engine conf=A --dry-run",
            2,
            why,
        );
    }
    write(&folder, "e", ENGINES);
    let why = "conf=Yours: expected an engine of e: Mine, Ours";
    refused(
        &folder,
        "match susan --engines e --engine conf=Yours",
        2,
        why,
    );
    refused(
        &folder,
        "match susan --engine conf=Mine",
        2,
        "engines.toml does not exist",
    );
    refused(
        &folder,
        "engines --engines missing",
        1,
        "missing: No such file",
    );
}

#[test]
fn engines_are_listed_and_each_is_started() {
    let folder = Folder::new("engines");
    write(&folder, "e", ENGINES);
    let done = plays(&folder, "engines --engines e");
    assert_eq!(done.lines("ok    Mine: ").len(), 1, "{:?}", done.stdout);
    assert_eq!(
        done.lines("ok    Ours: Linesman").len(),
        1,
        "{:?}",
        done.stdout
    );
    let broken = "[[engine]]\nname = 'Gone'\ncmd = './gone'\n\
                  [[engine]]\nname = 'Picky'\ncmd = 'SCRIPTED'\narg = 'options'\noptions = { Hsh = 2 }\n";
    write(&folder, "e", &format!("{ENGINES}{broken}"));
    let done = folder.linesman("engines --engines e").done();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!(done.lines("ok    ").len(), 2, "{:?}", done.stdout);
    let failed = done.lines("FAIL  ");
    assert!(failed[0].starts_with("FAIL  Gone: ") && failed[0].contains("No such file"));
    assert!(
        failed[1].starts_with("FAIL  Picky: ") && failed[1].contains("Hash"),
        "{failed:?}"
    );
    let done = folder.linesman("engines susan --engines e --json").done();
    assert_eq!(done.status, Some(1));
    let lines: Vec<Value> = done
        .stdout
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        (&lines[0]["name"], &lines[0]["ok"]),
        (&"Mine".into(), &true.into())
    );
    assert_eq!(
        lines[1]["id_name"].as_str().map(|id| id.contains("susan")),
        Some(true)
    );
    assert_eq!(lines[0]["options"][0]["name"], "Hash");
    assert_eq!(lines[2]["ok"], false);
    assert!(
        lines[2]["error"]
            .as_str()
            .is_some_and(|why| why.contains("No such file"))
    );
}

const PAGE: &str = include_str!("../../spec/match.md");

/// The plan on the page, which is not played.
#[test]
fn the_plan_on_the_page_is_sound() {
    let folder = Folder::new("page-plan");
    let (_, text) = PAGE.split_once("```toml\ngame = ").expect("an example");
    let (text, _) = text.split_once("```").expect("its end");
    write(&folder, "plans/m.toml", &format!("game = {text}"));
    write(
        &folder,
        "plans/book.txt",
        "startpos moves e5\nstartpos moves a1\n",
    );
    write(&folder, "config/linesman/engines.toml", ENGINES);
    let done = plays(&folder, "match --plan plans/m.toml --dry-run");
    done.shows(100, "Game ");
    done.shows(1, "Game 1 (pair 1): Mine vs Ours, startpos moves ");
}

#[test]
fn a_saved_plan_is_the_same_match() {
    let folder = Folder::new("saved");
    write(&folder, "book", "startpos moves e5\nstartpos moves a1\n");
    let line = "match susan:Size=5 --engine cmd=SCRIPTED arg=steady 'name=A b' ponder restart=on stderr=e \
                --engine builtin name=B 'option.Skill Level=5' nodes=30 --engine builtin name=C --each st=0.02 timemargin=400 \
                --games 3 --concurrency 2 --format gauntlet --openings file=book order=random \
                --draw movenumber=40 movecount=8 score=10 --resign movecount=3 score=900 twosided --max-plies 60 \
                --ping-ms 9000 --quiet";
    plays(&folder, &format!("{line} --ledger a --save-plan m.toml"));
    plays(&folder, "match --plan m.toml --ledger b --quiet");
    let like = plays(&folder, "match --like a --ledger c --save-plan c.toml");
    like.shows(1, "Finished game 1 ");
    assert_eq!(plan(&folder, "a"), plan(&folder, "b"));
    assert_eq!(plan(&folder, "a"), plan(&folder, "c"));
    let text = folder.read("m.toml");
    for line in [
        "draw = \"movenumber=40 movecount=8 score=10\"\n",
        "games = 3\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(
        !text.contains("stderr"),
        "it names no file to write: {text}"
    );
    // Its paths are absolute.
    std::fs::create_dir(folder.path("sub")).expect("a new folder");
    std::fs::rename(folder.path("m.toml"), folder.path("sub/m.toml")).expect("another folder");
    let line = "cd sub && LINESMAN match --plan m.toml --ledger ../d --quiet";
    folder.shell(line).exits(0);
    assert_eq!(plan(&folder, "a"), plan(&folder, "d"));
    let schedule = |words: &str| plays(&folder, &format!("match {words} --dry-run")).stdout;
    assert_eq!(schedule("--plan sub/m.toml"), schedule("--like a"));
}

#[test]
fn every_kind_of_opening_is_saved() {
    let folder = Folder::new("saved-openings");
    write(&folder, "a tree", "e5\n  a1\n  b2 2\n");
    for (index, words) in [
        "none",
        "random:plies=3",
        "balanced:plies=2 score=80 nodes=100",
        "'book=a tree' plies=1",
    ]
    .into_iter()
    .enumerate()
    {
        let line =
            format!("match susan --games 6 --openings {words} --save-plan {index} --dry-run");
        let shown = plays(&folder, &line).stdout;
        let again = plays(&folder, &format!("match --plan {index} --dry-run")).stdout;
        assert_eq!(shown, again, "{words}");
    }
}

#[test]
fn a_saved_plan_keeps_its_rules() {
    let folder = Folder::new("saved-rules");
    folder.copy_data("counts.py");
    let line =
        "match counts --rules cmd=python3 arg=counts.py --each nodes=20 --openings none --games 2";
    plays(&folder, &format!("{line} --ledger a --save-plan m"));
    for (from, ledger) in [("--plan m", "b"), ("--like a", "c")] {
        plays(&folder, &format!("match {from} --ledger {ledger}"));
        assert_eq!(plan(&folder, "a"), plan(&folder, ledger));
    }
    plays(
        &folder,
        "match six --plan m --rules cmd=python3 arg=counts.py name=six --dry-run --ledger e",
    );
}

#[test]
fn flags_of_the_command_line_win() {
    let folder = Folder::new("plan-flags");
    let text = "game = 'susan:Size=4'\ngames = 8\nseed = 3\nnoswap = true\nmax-plies = 30\n\
                openings = { 'random:plies' = 3 }\neach = { st = 0.05 }\n\
                [[engine]]\nbuiltin = true\nname = 'A'\n[[engine]]\nbuiltin = true\nname = 'B'\nnodes = 9\n";
    write(&folder, "m", text);
    plays(
        &folder,
        "match susan --plan m --games 2 --each nodes=20 --ledger l --quiet",
    );
    let (line, games) = folder.ledger("l");
    let plan = &line["plan"];
    assert_eq!(plan["game"]["options"], serde_json::json!([]));
    assert_eq!((&plan["games"], &plan["srand"]), (&2.into(), &3.into()));
    assert_eq!(
        (&plan["swaps"], &plan["adjudication"]["max_plies"]),
        (&false.into(), &30.into())
    );
    assert_eq!(plan["engines"][1]["name"], "B");
    // It wins over the engines' own words, too.
    for engine in 0..2 {
        assert_eq!(plan["engines"][engine]["limit"], "nodes=20");
    }
    let opening = games[0]["opening"].as_str().expect("an opening");
    assert_eq!((games.len(), opening.matches(' ').count()), (2, 4));
    plays(
        &folder,
        "match --plan m --engine builtin name=C depth=1 --games 1 --ledger k",
    );
    let (line, _) = folder.ledger("k");
    let engines = &line["plan"]["engines"];
    assert_eq!(engines[0]["name"], "C");
    assert_ne!(
        engines[1]["name"], "B",
        "they replace all engines of the file"
    );
    assert_eq!(engines[1]["limit"], "st=0.05", "each of the file");
    let like = "match --like l --each depth=1 option.Hash=2 --seed 5 --ledger j --quiet";
    plays(&folder, like);
    let (line, games) = folder.ledger("j");
    let plan = &line["plan"];
    assert_eq!((games.len(), &plan["srand"]), (2, &5.into()));
    assert_eq!(plan["engines"][0]["limit"], "depth=1");
    assert_eq!(
        plan["engines"][0]["options"],
        serde_json::json!([["Hash", "2"]])
    );
    // The old name of the flag.
    plays(&folder, "match --like l --seed 5 --dry-run");
}

#[test]
fn a_saved_plan_overwrites_nothing() {
    let folder = Folder::new("save-new");
    write(&folder, "m", "precious");
    refused(
        &folder,
        "match susan --dry-run --save-plan m",
        2,
        "--save-plan: m exists: expected a new file",
    );
    assert_eq!(folder.read("m"), "precious");
    refused(
        &folder,
        "match susan --dry-run --save-plan gone/m",
        1,
        "gone/m: No such file",
    );
    folder
        .linesman("match susan --games x --save-plan n")
        .exits(2);
    assert!(
        !folder.path("n").exists(),
        "only what can be played is saved"
    );
}

#[test]
fn faults_of_a_plan_are_named_with_line_and_key() {
    let folder = Folder::new("plan-faults");
    for (text, why) in [
        (
            "game = 'susan'\ngmes = 3\n",
            "m: line 2: gmes: unknown key: expected games",
        ),
        (
            "game = 'susan'\ngams = 3\n",
            "m: line 2: gams: unknown key: expected game or games",
        ),
        ("game = 'susan'\n\ngames = 'many'\n", "m: line 3: games: "),
        ("game = 'susan'\nnoswap = 3\n", "m: line 2: noswap: "),
        ("game = 'chess'\n", "unknown game"),
        (
            "game = 'susan'\nformat = 'swis'\n",
            "--format: swis: expected ",
        ),
        (
            "game = 'susan'\ndraw = 'movecount=3'\n",
            "--draw: movenumber= is missing",
        ),
        (
            "game = 'susan'\nresume = 'l'\n",
            "m: line 2: resume: unknown key: expected ",
        ),
        (
            "game = 'susan'\npgn = 'l'\n",
            "m: line 2: pgn: unknown key: expected ",
        ),
        (
            "game = 'susan'\n[[engine]]\ncmd = 'x'\nfoo = 1\n",
            "m: line 4: foo: unknown key",
        ),
        ("game = 'susan'\n[each]\nst = 0\n", "--each: "),
        (
            "game = 'susan'\nengine = 'x'\n",
            "m: line 2: engine: invalid type: string",
        ),
        (
            "game = 'susan'\nengine = ['cmd=x', 'tc=soon']\n",
            "m: line 2: engine: ",
        ),
        ("game = 'susan'\ngame = 'nim'\n", "m: line 2: game: "),
        ("openings = \"file='a\"\n", "m: line 1: openings: "),
        (
            "game = 'susan'\nopenings = { file = 'none' }\n",
            "--openings: ",
        ),
    ] {
        write(&folder, "m", text);
        let done = folder.linesman("match --plan m --dry-run").done();
        assert!(done.status == Some(2) || done.status == Some(1), "{text}");
        assert!(done.stderr.contains(why), "{text}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
    refused(&folder, "match --plan missing", 1, "missing: No such file");
    for words in ["--resume l", "--like l"] {
        folder
            .linesman(&format!("match --plan m {words}"))
            .fails(2, "cannot be used with");
    }
}
