//! Tests with valid and hostile archives.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use tar::Header;

use super::*;

/// Test folder, deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let name = format!("linesman-archive-{test}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("in/deep")).expect("a folder");
        fs::create_dir_all(path.join("out")).expect("a folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the names of all unpacked entries.
    fn unpacked(&self) -> Vec<String> {
        let found = fs::read_dir(self.path("out")).expect("a folder").flatten();
        found
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn packed(folder: &Path) -> io::Result<Vec<u8>> {
    let mut packer = Packer::new();
    packer.add(folder, Path::new("engine"))?;
    packer.finish()
}

fn compressed(tar: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(tar).expect("memory");
    encoder.finish().expect("memory")
}

/// Builds an archive with one entry whose header `change` may corrupt.
fn hostile(change: impl FnOnce(&mut Header)) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_size(1);
    header.set_mode(0o644);
    set_name(&mut header, b"file");
    change(&mut header);
    header.set_cksum();
    let mut tar = header.as_bytes().to_vec();
    tar.push(b'x');
    tar.resize(2048, 0);
    compressed(&tar)
}

/// Sets an entry name that the `tar` crate itself would reject.
fn set_name(header: &mut Header, name: &[u8]) {
    let field = &mut header.as_old_mut().name;
    field.fill(0);
    field[..name.len()].copy_from_slice(name);
}

#[test]
fn a_folder_comes_out_as_it_went_in() {
    let folder = Folder::new("same");
    fs::write(folder.path("in/run"), "#!/bin/sh\n").expect("a file");
    fs::set_permissions(folder.path("in/run"), fs::Permissions::from_mode(0o700))
        .expect("it is ours");
    fs::write(folder.path("in/deep/net"), vec![7; 100_000]).expect("a file");
    let archive = packed(&folder.path("in")).expect("files and folders");
    unpack(&archive, &folder.path("out")).expect("it is sound");
    let out = folder.path("out/engine");
    assert_eq!(
        fs::read(out.join("deep/net")).expect("a file"),
        [7; 100_000]
    );
    let mode = |name: &str| {
        let found = fs::metadata(out.join(name)).expect("it is there");
        found.permissions().mode() & 0o777
    };
    assert_eq!(
        (mode("run") & 0o700, mode("deep/net") & 0o700),
        (0o700, 0o600)
    );
}

#[test]
fn hostile_entries_are_refused() {
    let folder = Folder::new("hostile");
    let named = |name: &str| hostile(|header| set_name(header, name.as_bytes()));
    let outside = ["../evil", "a/../../evil", "/tmp/evil", "..", "/", ""];
    let outside = outside.map(|name| (named(name), "leaves the folder"));
    let link = |kind| {
        hostile(|header| {
            header.set_entry_type(kind);
            header.set_link_name("/etc/passwd").expect("it is short");
        })
    };
    let kinds = [
        EntryType::Symlink,
        EntryType::Link,
        EntryType::Char,
        EntryType::Block,
        EntryType::Fifo,
        EntryType::new(b'?'),
    ];
    let kinds = kinds.map(|kind| (link(kind), "neither file nor folder"));
    let sparse = hostile(|header| header.set_entry_type(EntryType::GNUSparse));
    let sizes = [MAX_UNPACKED + 1, u64::MAX / 2, u64::MAX];
    let sizes = sizes.map(|size| (hostile(|header| header.set_size(size)), ""));
    let cases = outside.into_iter().chain(kinds).chain(sizes);
    for (archive, why) in cases.chain([(sparse, "")]) {
        let error = unpack(&archive, &folder.path("out")).expect_err(why);
        assert!(error.contains(why), "{why}: {error}");
        assert_eq!(folder.unpacked(), [""; 0]);
    }
    assert!(!folder.path("evil").exists());
    // A valid size with less data than it says.
    let short = hostile(|header| header.set_size(1 << 20));
    unpack(&short, &folder.path("out")).expect_err("too short");
    std::os::unix::fs::symlink("/etc/passwd", folder.path("in/link")).expect("a link");
    let why = packed(&folder.path("in")).expect_err("a link").to_string();
    assert!(why.contains("\"engine/link\" is neither"), "{why}");
}

#[test]
fn what_is_cut_or_changed_is_refused() {
    let folder = Folder::new("cut");
    fs::write(folder.path("in/a"), "some text").expect("a file");
    let archive = packed(&folder.path("in")).expect("it is small");
    for length in 0..archive.len() {
        let out = folder.path("out");
        assert!(unpack(&archive[..length], &out).is_err(), "{length}");
        fs::remove_dir_all(&out).expect("ours");
        fs::create_dir(&out).expect("ours");
    }
    let mut rng = fastrand::Rng::with_seed(20);
    for _ in 0..300 {
        let mut changed = archive.clone();
        let at = rng.usize(10..changed.len());
        changed[at] ^= 1 << rng.u32(0..8);
        // Some of the final bits of the compressed data are unused.
        let text = unpack(&changed, &folder.path("out"))
            .map(|()| fs::read_to_string(folder.path("out/engine/a")).expect("it is there"));
        assert!(text.is_err() || text.as_deref() == Ok("some text"), "{at}");
        fs::remove_dir_all(folder.path("out")).expect("ours");
        fs::create_dir(folder.path("out")).expect("ours");
    }
}

#[test]
fn a_name_twice_is_refused() {
    let folder = Folder::new("twice");
    let mut packer = Packer::new();
    fs::write(folder.path("in/a"), "one").expect("a file");
    for _ in 0..2 {
        let added = packer.add(&folder.path("in/a"), Path::new("a"));
        added.expect("it is small");
    }
    let archive = packer.finish().expect("it is small");
    let why = unpack(&archive, &folder.path("out")).expect_err("twice");
    assert!(why.contains("exists"), "{why}");
}
