//! Lists the files of the page as a Rust expression, which `assets` includes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=page");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("page");
    let entries: io::Result<Vec<PathBuf>> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect();
    let mut files = entries?;
    files.sort();
    let mut list = "&[\n".to_owned();
    for file in files.iter().filter(|file| file.is_file()) {
        let name = file.file_name().unwrap_or_default();
        writeln!(list, "({name:?}, include_bytes!({file:?})),").expect("memory takes all");
    }
    list += "]";
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("page.rs"), list)
}
