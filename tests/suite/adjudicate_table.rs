//! `linesman match --adjudicate-table` without a suitable table.

use crate::support::{Folder, begins, has};

#[test]
fn a_match_without_its_table_does_not_begin() {
    let folder = Folder::new("adjudicate-table");
    std::fs::write(folder.path("junk"), "no table").expect("a new file");
    for (game, flag, status, why) in [
        ("any", "--adjudicate-table", 2, "any has no tables"),
        (
            "projex:Size=3",
            "--adjudicate-table=.",
            1,
            "no table of projex by these options",
        ),
        (
            "susan:Size=3",
            "--adjudicate-table=.",
            1,
            "no table of susan by these options",
        ),
        ("susan:Size=3", "--adjudicate-table=nowhere", 1, "nowhere: "),
        ("susan:Size=3", "--adjudicate-table=junk", 1, "junk: "),
    ] {
        let engine = match game {
            "any" => "--engine cmd=./a --engine cmd=./b",
            _ => "--engine builtin name=A --engine builtin name=B",
        };
        let words = format!("match {game} {flag} {engine} --each nodes=10 --games 2 --ledger l");
        let done = folder.linesman(&words).exits(status);
        begins(&done.stderr, "error: --adjudicate-table: ");
        has(&done.stderr, why);
        assert!(!folder.path("l").exists(), "{words}");
    }
}
