//! Pairs of features of a match. With any options, all ways to run a match give the same games and the same verdict: in
//! one piece, interrupted and resumed, in shards, or by a fleet.
//!
//! The test below runs each pair of [`OPTIONS`], and of [`ANY_OPTIONS`] in a game without rules, in all these ways. Other
//! pairs, and the tests of each:
//!
//! resume x kill             endings::a_killed_match_is_resumed_without_loss
//! resume x trust            trust
//! resume x rounds           formats
//! fleet x kill              fleet::faults
//! fleet x trust             fleet::engines, fleet::hostile, fleet::security
//! SPRT x shards             also stats::prefix of the record crate
//! concurrency x fleet       - refused: each worker chooses its own
//!
//! The features of a table (undo, stand-ins, partners, journal) meet in the laws of the table crate.

use std::fs;

use laws::testing::full;
use serde_json::Value;

use crate::fleet::Fleet;
use crate::support::{Folder, in_parallel};

/// A clock, in addition to the nodes of each engine.
const CLOCK: &str = "tc=600+1";

/// Options that may be combined. Engines search a fixed number of nodes, so that their games can be compared.
const OPTIONS: [&str; 7] = [
    CLOCK,
    "--openings file=positions",
    "--noswap",
    "--sprt elo0=0 elo1=300 alpha=0.2 beta=0.2",
    "--draw movenumber=6 movecount=1 score=30 --resign movecount=2 score=200",
    "--each restart=on",
    "--concurrency 3",
];

/// B plays below full strength, so its games depend on the seeds that the referee sends. A small table costs each of
/// the many processes less.
const MATCH: &str = "match susan:Size=3 --engine builtin name=A nodes=40 \
                     --engine builtin name=B nodes=10 'option.Skill Level=12' --each nodes=20 option.Hash=1 --games 8 --seed 5 --quiet";

/// A game without rules, whose engines are asked.
const ANY: &str = "match any --engine cmd=SCRIPTED arg=counts name=A --engine cmd=SCRIPTED arg=counts name=B --each st=60 \
                   --games 8 --seed 5 --openings none --quiet";

/// Options that make sense without rules.
const ANY_OPTIONS: [&str; 4] = [
    "--noswap",
    "--sprt elo0=0 elo1=300 alpha=0.2 beta=0.2",
    "--each restart=on",
    "--concurrency 3",
];

/// Openings of SUSAN in which each side is to move.
const POSITIONS: &str =
    "fen 3/4/2x2/4/3 o 0\nfen 3/1o2/2x2/4/3 x 0\nfen 3/4/5/4/1x1 o 0\nstartpos moves a1 c3\n";

fn pairs<'a>(start: &'a str, options: &'a [&'a str]) -> impl Iterator<Item = String> {
    let tails = (0..options.len()).map(|at| options.split_at(at).1);
    tails.flat_map(move |tail| {
        let (one, others) = tail.split_first().expect("no empty tail");
        others.iter().map(move |other| match *one {
            CLOCK => format!("{start} {other}").replace("nodes=", "tc=600+1 nodes="),
            one => format!("{start} {one} {other}"),
        })
    })
}

/// The games of some ledgers in the order of the schedule, without what depends on the time.
fn games(folder: &Folder, ledgers: &[&str]) -> Vec<String> {
    let games = ledgers.iter().flat_map(|ledger| folder.ledger(ledger).1);
    let mut games: Vec<Value> = games.collect();
    games.sort_by_key(|game| game["game"].as_u64());
    let fields = "game pair p1 p2 first opening moves result termination reason";
    let text = |game: &Value| -> String {
        let fields = fields.split(' ');
        fields.map(|field| game[field].to_string()).collect()
    };
    games.iter().map(text).collect()
}

/// The scores and the verdict. Games after a decided test do not change the verdict, but the scores.
fn verdict(folder: &Folder, ledger: &str, with_scores: bool) -> Value {
    let done = folder.linesman(&format!("stats {ledger} --json")).exits(0);
    let mut stats: Value = serde_json::from_str(&done.stdout.join("\n")).expect("JSON");
    let scores = with_scores.then(|| stats["report"]["tally"].take());
    Value::from(vec![stats["sprt"].take(), scores.into()])
}

fn succeeds(folder: &Folder, words: &str) {
    folder.linesman(words).exits(0);
}

/// Plays a match in four ways and compares them.
fn check(words: &str, fleet: Option<&Fleet>) {
    let folder = Folder::new("pairs");
    folder.write("positions", POSITIONS);
    succeeds(&folder, &format!("{words} --ledger whole --pgn whole.pgn"));
    let whole = games(&folder, &["whole"]);
    let has_test = words.contains("--sprt");
    let verdict = |ledger: &str| verdict(&folder, ledger, !has_test);
    let expected = verdict("whole");
    let same = |ledger: &str| {
        // A decided test ends the match, at different games where several are played at a time.
        let others = games(&folder, &[ledger]);
        let n_both = whole.len().min(others.len());
        assert!(n_both == 8 || has_test, "{words}: {ledger}");
        assert_eq!(others[..n_both], whole[..n_both], "{words}: {ledger}");
        assert_eq!(verdict(ledger), expected, "{words}: {ledger}");
    };

    // Interrupted in the middle of a line.
    let text = folder.read("whole");
    let end = text
        .match_indices('\n')
        .nth(whole.len() / 2)
        .expect("games")
        .0;
    folder.write("part", &text[..end + 40]);
    succeeds(&folder, "match --resume part --pgn part.pgn --quiet");
    // If the games before the torn line decide the test, nothing is written.
    let text = folder.read("part");
    let end = text.rfind('\n').expect("lines");
    folder.write("part", &text[..=end]);
    same("part");

    for shard in ["1/2", "2/2"] {
        let ledger = &shard[..1];
        succeeds(
            &folder,
            &format!("{words} --shard {shard} --ledger {ledger}"),
        );
    }
    let parts = games(&folder, &["1", "2"]);
    match has_test {
        // Each part ends when its own test is decided.
        true => {
            let both = parts.iter().filter(|game| whole.contains(game)).count();
            assert!(both == whole.len().min(parts.len()), "{words}: {parts:?}");
        }
        false => {
            assert_eq!(parts, whole, "{words}: the parts");
            // Nor does a copy of one matter.
            fs::copy(folder.path("1"), folder.path("copy")).expect("it is copied");
            for parts in ["2 1", "1 copy 2"] {
                assert_eq!(verdict(parts), expected, "{words}: the parts");
            }
        }
    }

    if let Some(fleet) = fleet {
        // The workers choose how many games they play at a time.
        let words = words.replace("--concurrency 3", "");
        let sends = if words.starts_with(ANY) {
            "--send-engines"
        } else {
            ""
        };
        let url = fleet.url();
        succeeds(
            &folder,
            &format!("fleet {words} --ledger fleet --fleet {url} {sends}"),
        );
        same("fleet");
    }
}

#[test]
fn a_match_has_the_same_games_however_it_is_run() {
    let fleet = Fleet::start("pairs");
    let work = |fleet: &Fleet| [(); 2].map(|()| fleet.worker("--accept-engines"));
    let workers = fleet.as_ref().map(work);
    let all = pairs(MATCH, &OPTIONS).chain(pairs(ANY, &ANY_OPTIONS));
    let all: Vec<String> = all.collect();
    // A sample in which each option occurs.
    let step = if full() { 1 } else { 4 };
    let cases: Vec<&String> = all.iter().step_by(step).collect();
    in_parallel(&cases, |words| check(words, fleet.as_ref()));
    drop(workers);
}
