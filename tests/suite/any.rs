//! Games unknown to the referee, judged by queries.

use crate::support::{Folder, MUTANT, has, in_parallel};

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
        let broken = format!("cmd={MUTANT} arg={game} arg={mutant}");
        let line = format!(
            "LINESMAN match any --engine {sound} name=sound --engine {broken} name=broken \
             --each nodes=300 option.Seed=1 --openings random:plies=4 --seed 3 --games 12 --max-plies 150 --ledger l --strict"
        );
        let done = folder.shell(&line).done();
        let output = done.said();
        assert!(matches!(done.status, Some(1 | 4)), "{mutant}: {output}");
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
        let has_counter = *mutant == "second-occurrence";
        assert_eq!(is_short, !has_counter, "{mutant}: {found:?}");
    });
}
