//! `linesman fleet trust`: adds a worker's key to the file of the workers whose results a match accepts.

use std::fs;
use std::io;

use fleet::{check_public, parse_trusted};

use crate::args::TrustArgs;
use crate::output::{one_line, print};
use crate::paths::absolute;
use crate::platform::write_private;
use crate::usage::{Failure, OrFail};

/// Adds the key, or changes its name.
pub(super) fn run(args: &TrustArgs) -> Result<(), Failure> {
    let key = args.key.trim();
    check_public(key).or_usage("KEY")?;
    let path = absolute(&args.file);
    let shown = path.display();
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.or_trouble(&shown)?,
    };
    let known = parse_trusted(&text).or_trouble(&shown)?;
    let is_known = known.contains_key(key);
    let kept = text.lines().filter(|line| !line.trim().starts_with(key));
    let name = args.name.replace(char::is_control, " ");
    let line = format!("{key} {name}");
    let lines: Vec<&str> = kept.chain([line.trim_end()]).collect();
    write_private(&path, format!("{}\n", lines.join("\n"))).or_trouble(&shown)?;
    let n_keys = known.len() + usize::from(!is_known);
    let keys = crate::play::text::count(n_keys, "key");
    print(&one_line(&format!("{keys} in {shown}")), false)
}
