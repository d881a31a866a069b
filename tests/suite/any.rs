//! Games unknown to the referee, judged by queries.

use crate::support::{Folder, begins, has, in_parallel, python};

const TWO: &str = "match any --engine cmd=SCRIPTED arg=counts name=A --engine cmd=SCRIPTED arg=counts name=B --each st=60 --ledger l";

fn against(fault: &str, more: &str) -> String {
    format!(
        "match any --engine cmd=SCRIPTED arg=counts arg={fault} name=A --engine cmd=SCRIPTED arg=counts name=B \
         --ledger l --games 2 --ping-ms 3000 {more}"
    )
}

#[test]
fn a_game_is_judged_by_its_engines() {
    let folder = Folder::new("any");
    let done = folder
        .linesman(&format!("{TWO} --pgn p --games 4"))
        .exits(0);
    done.shows(1, "Finished game 1 (A vs B): 1-0 {A wins}");
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(
            game["moves"].to_string(),
            r#"["m1","m2","m3","m4","m5","m6"]"#
        );
        assert_eq!(
            (&game["result"], &game["termination"]),
            (&"1-0".into(), &"normal".into())
        );
    }
    has(&folder.read("p"), "[Game \"any\"]\n");
}

#[test]
fn moves_are_held_against_the_own_list() {
    let folder = Folder::new("any-illegal");
    let done = folder.linesman(&against("illegal", "")).exits(0);
    let line = "Finished game 1 (A vs B): 0-1 {A made an illegal move: z9: not among the moves";
    done.shows(1, line);
}

#[test]
fn disagreement_costs_nobody_anything() {
    let folder = Folder::new("any-disagree");
    let done = folder.linesman(&against("lie", "")).exits(0);
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(
            (&game["result"], &game["termination"]),
            (&"*".into(), &"disagreement".into())
        );
        let reason = game["reason"].as_str().expect("a reason");
        has(&reason, "A answers gameover true");
        has(&reason, "B answers gameover false");
        assert_eq!(
            game["fault"]["position"],
            "position startpos moves m1 m2 m3"
        );
    }
    done.shows(1, "2 games without a result are left out");
}

#[test]
fn silence_on_a_query_loses() {
    let folder = Folder::new("any-silent");
    let done = folder.linesman(&against("silent-query", "")).exits(0);
    done.shows(1, "Finished game 1 (A vs B): 0-1 {A no response in time}");
    done.shows(1, "Finished game 2 (B vs A): 1-0 {A no response in time}");
}

/// B has lost after six moves, and its answer does not undo that.
#[test]
fn nonsense_does_not_save_a_lost_game() {
    let folder = Folder::new("any-nonsense");
    let words = "match any --engine cmd=SCRIPTED arg=counts name=A --engine cmd=SCRIPTED arg=counts arg=nonsense name=B \
                 --each st=60 --ledger l --games 1 --strict";
    let done = folder.linesman(words).exits(4);
    let line = "Finished game 1 (A vs B): 1-0 {B answers query gameover with \"who knows\": expected true or false}";
    done.shows(1, line);
    let (_, games) = folder.ledger("l");
    assert_eq!(games[0]["termination"], "rules infraction");
    assert_eq!(games[0]["fault"]["engine"], "B");
}

#[test]
fn an_engine_that_answers_no_query_cannot_play_any() {
    let folder = Folder::new("any-mute");
    folder
        .linesman("match any --engine cmd=SCRIPTED --engine cmd=SCRIPTED --ledger l")
        .fails(1, "query gameover");
    for words in [
        "match any",
        "match any:Size=3",
        "match any --engine builtin",
    ] {
        folder.linesman(words).exits(2);
    }
}

#[test]
fn an_engine_in_python_plays_a_known_game() {
    let python = or_skip!(python());
    let folder = Folder::new("python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/data/susan.py");
    let words = format!(
        "match susan --engine cmd={python} arg={script} --games 4 --each nodes=200 --ledger susan"
    );
    let done = folder.linesman(&words).exits(0);
    let (_, games) = folder.ledger("susan");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{:?}",
        done.stdout
    );
}

/// The start positions are compared before game 1.
#[test]
fn engines_of_different_games_are_told_apart() {
    let folder = Folder::new("any-different");
    let engine = |game: &str| format!("--engine cmd=LINESMAN arg=engine arg={game} name={game}");
    let line = format!(
        "LINESMAN match any {} {} --each nodes=10 --ledger l",
        engine("susan"),
        engine("entropy")
    );
    let done = folder.shell(&line).exits(1);
    let words = "entropy and susan play different games: in the start position, query moves is ";
    has(&done.stderr, words);
    // The moves are shown as they were sent.
    has(&done.stderr, "for entropy and \"a1 a2 a3 ");
}

/// An engine that breaks a rule is found by a sound one, without rules, in a match and by `check --against`.
#[test]
fn a_broken_rule_is_a_disagreement() {
    let mutants = [
        ("susan", "enemies-alone-surround", "the engines disagree: "),
        ("gobblet", "equal-sizes-in-line", "the engines disagree: "),
        ("entropy", "second-occurrence", "the engines disagree: "),
        ("entropy", "one-step-slides", "play different games"),
    ];
    in_parallel(&mutants, |(game, mutant, words)| {
        let folder = Folder::new("any-mutant");
        let sound = format!("cmd=LINESMAN arg=engine arg={game}");
        let broken = format!(
            "cmd={} arg={game} arg={mutant}",
            env!("CARGO_BIN_EXE_mutant-engine")
        );
        let line = format!(
            "LINESMAN match any --engine {sound} name=sound --engine {broken} name=broken \
             --each nodes=300 option.Seed=1 --openings random:plies=4 --seed 3 --games 12 --max-plies 150 --ledger l --strict"
        );
        let done = folder.shell(&line).done();
        assert!(
            matches!(done.status, Some(1 | 4)),
            "{mutant}: {:?} {}",
            done.status,
            done.stderr
        );
        let output = format!("{} {}", done.stdout.join("\n"), done.stderr);
        has(&output, words);
        if words.contains("disagree") {
            has(&output, "; position: ");
        }
        let done = folder
            .shell(&format!(
                "LINESMAN check {sound} --against {broken} --games 40 --seed 1"
            ))
            .exits(1);
        let found = done.lines("  position ");
        assert_eq!(found.len(), 1, "{mutant}: {:?}", done.stdout);
        // Without counters of repetition or slides, the moves before do not matter.
        let is_short = !found[0].contains(" moves ");
        assert_eq!(
            is_short,
            *mutant != "second-occurrence",
            "{mutant}: {found:?}"
        );
    });
}

#[test]
fn sound_engines_do_not_differ() {
    let folder = Folder::new("any-against");
    let engine = "cmd=LINESMAN arg=engine arg=gobblet";
    let line = format!(
        "LINESMAN check gobblet:Size=4 {engine} --against {engine} --games 6 --seed 1 --json"
    );
    let done = folder.shell(&line).exits(0);
    begins(&done.stdout[0], "{\"equal\":true,");
    assert_eq!(done.stdout.len(), 1, "{:?}", done.stdout);
    // Engines of one name are numbered.
    let words = "check builtin susan --against builtin option.Size=4 --games 2 --seed 1";
    let done = folder.linesman(words).exits(1);
    let answers: Vec<&String> = done.stdout.iter().rev().take(2).collect();
    has(&answers[0], " #2: ");
    assert!(!answers[1].contains('#'), "{answers:?}");
}
