//! Invalid arguments and their error messages.

use crate::support::{Done, Folder, has, in_parallel, lacks};

fn refused(words: &str, status: i32, named: &[&str]) -> Done {
    let folder = Folder::new("refused");
    let done = folder.linesman(words).exits(status);
    for name in named {
        has(&done.stderr, name);
    }
    lacks(&done.stderr, "panicked");
    done
}

#[test]
fn usage_errors_name_the_word_and_what_was_expected() {
    let rows: Vec<&str> = include_str!("../data/refused.txt")
        .lines()
        .skip(1)
        .collect();
    in_parallel(&rows, |row| {
        let mut fields = row.split(" | ");
        let words = fields.next().expect("a command line");
        refused(words, 2, &fields.collect::<Vec<_>>());
    });
}
