//! Sources of openings: suites, books, balanced random moves, and the moves that engines list.

use kit::game_entry::PositionLine;
use kit::search::Searcher;
use serde_json::Value;

use crate::support::{Folder, has};

/// The openings of a dry run, one a pair.
fn openings(folder: &Folder, words: &str) -> Vec<String> {
    let done = folder
        .linesman(&format!("match {words} --dry-run"))
        .exits(0);
    let opening = |line: &String| line.split_once(", ").map(|(_, opening)| opening.to_owned());
    let all: Vec<String> = done.stdout.iter().filter_map(opening).collect();
    all.into_iter().step_by(2).collect()
}

fn refused(folder: &Folder, words: &str) -> String {
    let done = folder
        .linesman(&format!("match {words} --ledger no"))
        .exits(2);
    assert!(!folder.has("no"));
    done.stderr
}

#[test]
fn what_mine_writes_is_what_match_reads() {
    let folder = Folder::new("mined");
    folder
        .shell("LINESMAN lab mine susan:Size=3 --games 20 --count 3 --nodes 20000 > suite")
        .exits(0);
    let suite = folder.read("suite");
    let positions: Vec<String> = suite
        .lines()
        .filter_map(|line| line.split_once("; bm "))
        .map(|(fen, _)| format!("fen {fen}"))
        .collect();
    assert_eq!(positions.len(), 3, "{suite}");
    // A position string gives its board size, so Size need not be set.
    let read = openings(&folder, "susan --openings file=suite --games 6");
    assert_eq!(read, positions);
    folder
        .linesman("match susan --each nodes=30 --openings file=suite --games 6 --ledger l --quiet")
        .exits(0);
    let (_, games) = folder.ledger("l");
    assert_eq!(games[0]["opening"], positions[0].as_str());
    let why = refused(&folder, "gobblet --openings file=suite");
    has(&why, "suite, line 2: a game of susan, not of gobblet");
    let why = refused(&folder, "susan:SlideLimit=4 --openings file=suite");
    has(&why, "a game with SlideLimit=6, not SlideLimit=4");
}

#[test]
fn a_book_is_chosen_from_by_seed_and_number() {
    let folder = Folder::new("book");
    folder.write(
        "book",
        "# of two moves\ngame susan\ne5 3\n  b2 2\n  a1\nc3\n  d4\n    h1\n",
    );
    let choose = |seed: u32, more: &str| {
        let words = format!("susan --openings book=book {more} --games 40 --seed {seed}");
        openings(&folder, &words)
    };
    assert_eq!(choose(1, ""), choose(1, ""));
    assert_ne!(choose(1, ""), choose(2, ""));
    let mut kinds = choose(1, "");
    kinds.sort();
    kinds.dedup();
    let all = ["e5 a1", "e5 b2", "c3 d4 h1"].map(|moves| format!("startpos moves {moves}"));
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert!(all.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let short = choose(1, "plies=1");
    let mut n_words = short.iter().map(|opening| opening.split(' ').count());
    assert!(n_words.all(|n| n == 3), "{short:?}");
    // Opening k does not depend on the number of openings.
    let longer = openings(&folder, "susan --openings book=book --games 60 --seed 1");
    assert_eq!(longer[..20], choose(1, "")[..]);
    let match_ = "match susan --each nodes=20 --openings book=book --seed 1 --quiet --ledger l";
    folder.linesman(&format!("{match_} --games 4")).exits(0);
    folder
        .linesman("match --resume l --games 8 --quiet")
        .exits(0);
    let (_, lines) = folder.ledger("l");
    let played: Vec<&Value> = lines.iter().filter(|line| line["game"].is_u64()).collect();
    assert_eq!(played.len(), 8);
    assert_eq!(played[7]["opening"], longer[3].as_str());
}

#[test]
fn balanced_openings_have_scores_near_zero() {
    let folder = Folder::new("balanced");
    let words = "susan:Size=4 --openings balanced:plies=3 score=40 nodes=500 --games 20 --seed 3";
    let balanced = openings(&folder, words);
    assert_eq!(balanced, openings(&folder, words));
    let mut options = kit::Options::new(susan::GAME.source.options());
    options.set("Size", Some("4")).expect("an option of susan");
    let score = |opening: &String| {
        let moves = opening.strip_prefix("startpos moves ").expect("moves");
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        assert_eq!(moves.len(), 3);
        let line = PositionLine {
            fen: None,
            moves: &moves,
        };
        let engine = susan::GAME.source.open(&options, line);
        let engine = engine.expect("a legal opening");
        engine.search_nodes(&mut Searcher::new(1, 1), 500, 0).score
    };
    let scores: Vec<i32> = balanced.iter().map(score).collect();
    assert!(scores.iter().all(|score| score.abs() <= 40), "{scores:?}");
    let random = "susan:Size=4 --openings random:plies=3 --games 20 --seed 3";
    let mut scores = openings(&folder, random)
        .into_iter()
        .map(|opening| score(&opening));
    assert!(
        scores.any(|score| score.abs() > 40),
        "else nothing is tested"
    );
    let why = refused(&folder, "susan --openings balanced:plies=3 nodes=0");
    has(&why, "nodes=0");
    let engines = "--engine cmd=SCRIPTED --engine cmd=SCRIPTED";
    let words = format!("any {engines} --openings balanced:plies=3");
    has(
        &refused(&folder, &words),
        "balanced needs a built-in engine",
    );
}

/// An engine of a catalogue game, in a match whose referee does not know the game.
const ANY: &str = "match any --engine cmd=LINESMAN arg=engine arg=susan name=A --engine cmd=LINESMAN arg=engine arg=susan name=B \
    --each nodes=20 --openings random:plies=3 --quiet";

#[test]
fn random_moves_of_any_game_are_those_that_an_engine_lists() {
    let folder = Folder::new("any-random");
    let run = |words: &str| {
        folder
            .shell(&format!("{ANY} {words}").replacen("match", "LINESMAN match", 1))
            .exits(0);
    };
    run("--games 4 --seed 5 --ledger l");
    run("--games 8 --seed 5 --ledger longer");
    run("--games 4 --seed 6 --ledger other");
    let drawn = |ledger: &str| -> Vec<String> {
        let (_, lines) = folder.ledger(ledger);
        let games = lines.iter().filter(|line| line["game"].is_u64());
        games.map(|game| game["opening"].to_string()).collect()
    };
    let four = drawn("l");
    let mut n_words = four.iter().map(|opening| opening.split(' ').count());
    assert!(n_words.all(|n| n == 5), "{four:?}");
    assert_eq!(four[0], four[1]);
    assert_ne!(four[0], four[2]);
    assert_eq!(four, drawn("longer")[..4]);
    assert_ne!(four, drawn("other"));
    // More games need more openings, which come from the engine.
    folder
        .linesman("match --resume l --games 8 --trust --quiet")
        .exits(0);
    assert_eq!(drawn("l"), drawn("longer"));
}
