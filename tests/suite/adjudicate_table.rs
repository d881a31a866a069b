//! `linesman match --adjudicate-table`, where there is no table to adjudicate by.

use crate::support::Folder;

const ENGINES: &str = "--engine builtin name=A --engine builtin name=B --each nodes=10 --games 2";

#[test]
fn a_match_without_its_table_does_not_begin() {
    let folder = Folder::new("adjudicate-table");
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
        std::fs::write(folder.path("junk"), "no table").expect("a new file");
        let done = folder
            .linesman(&format!("match {game} {flag} {ENGINES} --ledger l"))
            .done();
        assert_eq!(done.status, Some(status), "{game} {flag}: {}", done.stderr);
        assert!(
            done.stderr.starts_with("error: --adjudicate-table: "),
            "{}",
            done.stderr
        );
        assert!(done.stderr.contains(why), "{game} {flag}: {}", done.stderr);
        assert!(!folder.path("l").exists(), "{game} {flag}");
    }
}
