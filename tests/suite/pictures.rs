//! The pictures on the pages of `spec/` and in README are up to date with the engines' output.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Folder;

/// If set, the pictures are rewritten instead of compared.
const UPDATE: &str = "LINESMAN_UPDATE_PICTURES";

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/pictures")
}

/// The answer to `d svg` after these lines, without the position string below it.
fn draw(folder: &Folder, engine: &str, lines: &str) -> String {
    folder.write("lines", format!("{lines}\nd svg\n"));
    let done = folder
        .shell(&format!(
            "{} engine {engine} < lines",
            env!("CARGO_BIN_EXE_linesman-test")
        ))
        .done();
    let [picture] = done.lines("<svg ")[..] else {
        panic!("{engine}: {:?}", done.stdout);
    };
    format!("{picture}\n")
}

/// Each line of `spec/pictures/list.txt` has a picture, an engine, and the lines to send, separated by `;`.
#[test]
fn each_picture_is_what_its_engine_draws() {
    let folder = Folder::new("pictures");
    let list = fs::read_to_string(pictures().join("list.txt")).expect("a list");
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let mut names = Vec::new();
    for line in lines {
        let mut parts = line.split(" | ");
        let mut part = || parts.next().unwrap_or_else(|| panic!("too short: {line}"));
        let (name, engine, sent) = (format!("{}.svg", part()), part(), part());
        let drawn = draw(&folder, engine, &sent.replace("; ", "\n"));
        let file = pictures().join(&name);
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&file, &drawn).expect("a picture");
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            kept == drawn,
            "spec/pictures/{name} is another: write the pictures anew as list.txt says"
        );
        names.push(name);
    }
    let is_picture = |name: &String| name.ends_with(".svg");
    let files = fs::read_dir(pictures()).expect("the folder");
    let files = files.map(|file| {
        file.expect("a file")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    let mut files: Vec<String> = files.filter(is_picture).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names, "the pictures are those of list.txt");
}
