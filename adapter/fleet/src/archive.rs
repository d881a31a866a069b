//! Engines as compressed tar archives: packed by the coordinator, unpacked by workers that trust it.
//!
//! The same files always give the same archive; its hash is its name. An archive holds only regular files and folders
//! under relative paths. Links, devices, paths that leave the folder and archives above the size limits are errors.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use record::file::naming;
use tar::{Archive, Builder, Entry, EntryType, Header};

use crate::platform;

/// Maximum size of an archive, in bytes.
pub(crate) const MAX_ARCHIVE: usize = 256 << 20;

/// Maximum total size of its files, in bytes.
pub(crate) const MAX_UNPACKED: u64 = 1 << 30;

/// Maximum number of files and folders.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Builds an archive from files and folders.
pub(crate) struct Packer {
    builder: Builder<GzEncoder<Bounded>>,
    n_entries: usize,
    n_bytes: u64,
}

impl Packer {
    pub(crate) fn new() -> Packer {
        let encoder = GzEncoder::new(Bounded(Vec::new()), Compression::default());
        Packer {
            builder: Builder::new(encoder),
            n_entries: 0,
            n_bytes: 0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.n_entries == 0
    }

    /// Adds a file under the given name.
    ///
    /// # Errors
    /// The file cannot be read or is too large; the error names it.
    pub(crate) fn add_file(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        self.append_file(path, name)
            .map_err(|error| naming(path.display(), &error))
    }

    /// Adds a folder and its contents under the given name, sorted by name.
    ///
    /// # Errors
    /// An entry cannot be read, is neither a file nor a folder, or is too large; the error names it.
    pub(crate) fn add_folder(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        let naming = |error: io::Error| naming(path.display(), &error);
        self.append_folder(path, name).map_err(naming)?;
        let found = fs::read_dir(path).map_err(naming)?;
        let mut found = found.collect::<Result<Vec<_>, _>>().map_err(naming)?;
        found.sort_by_key(fs::DirEntry::file_name);
        for entry in found {
            let (path, name) = (entry.path(), name.join(entry.file_name()));
            let kind = entry.file_type().map_err(naming)?;
            if kind.is_dir() {
                self.add_folder(&path, &name)?;
            } else if kind.is_file() {
                self.add_file(&path, &name)?;
            } else {
                let path = path.display();
                return Err(io::Error::other(format!(
                    "{path}: a link or a device: expected files and folders"
                )));
            }
        }
        Ok(())
    }

    /// Finishes and returns the archive.
    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.builder.into_inner()?.finish()?.0)
    }

    fn append_folder(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut header = self.header(EntryType::Directory, 0, 0o755, name)?;
        header.set_cksum();
        self.builder.append(&header, io::empty())
    }

    fn append_file(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        let file = File::open(path)?;
        let found = file.metadata()?;
        let mode = match platform::is_executable(&found) {
            true => 0o755,
            false => 0o644,
        };
        let mut header = self.header(EntryType::Regular, found.len(), mode, name)?;
        header.set_cksum();
        let content = Exactly {
            file,
            left: found.len(),
        };
        self.builder.append(&header, content)
    }

    /// Builds the header of an entry, without any field that differs between machines.
    fn header(&mut self, kind: EntryType, size: u64, mode: u32, name: &Path) -> io::Result<Header> {
        self.n_entries += 1;
        self.n_bytes = self.n_bytes.saturating_add(size);
        if self.n_entries > MAX_ENTRIES || self.n_bytes > MAX_UNPACKED {
            return Err(too_large());
        }
        let mut header = Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(mode);
        header.set_mtime(0);
        header.set_path(name)?;
        Ok(header)
    }
}

fn too_large() -> io::Error {
    io::Error::other(format!(
        "too much for an archive: expected at most {MAX_ENTRIES} files, {} MiB in all and {} MiB compressed",
        MAX_UNPACKED >> 20,
        MAX_ARCHIVE >> 20
    ))
}

/// Buffer that rejects writes beyond [`MAX_ARCHIVE`].
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_ARCHIVE {
            return Err(too_large());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reader of a file of known length. It is an error if the file shrinks while it is read.
struct Exactly {
    file: File,
    left: u64,
}

impl Read for Exactly {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let n_bytes = self.file.read(&mut buffer[..most])?;
        self.left -= n_bytes as u64;
        match n_bytes == 0 && most > 0 {
            true => Err(io::Error::other("it was truncated while it was read")),
            false => Ok(n_bytes),
        }
    }
}

/// Unpacks an archive into an empty folder. The files are created read-only.
///
/// # Errors
/// The archive is invalid or a file cannot be written. The folder may then hold a part of the contents.
pub(crate) fn unpack(archive: &[u8], folder: &Path) -> Result<(), String> {
    // The header blocks of tar count too.
    let most = MAX_UNPACKED + MAX_ENTRIES as u64 * 1024;
    let mut archive = Archive::new(GzDecoder::new(archive).take(most));
    let mut left = MAX_UNPACKED;
    let entries = archive.entries().map_err(|error| unreadable(&error))?;
    for (number, entry) in entries.raw(true).enumerate() {
        let mut entry = entry.map_err(|error| unreadable(&error))?;
        let size = entry.size();
        if number >= MAX_ENTRIES || size > left {
            return Err(too_large().to_string());
        }
        left -= size;
        unpack_entry(&mut entry, folder)?;
    }
    // Reading to the end verifies the checksum.
    let rest = io::copy(&mut archive.into_inner(), &mut io::sink());
    rest.map(drop).map_err(|error| unreadable(&error))
}

fn unreadable(error: &io::Error) -> String {
    format!("not an archive: {error}")
}

fn unpack_entry(entry: &mut Entry<'_, impl Read>, folder: &Path) -> Result<(), String> {
    let name = entry.path_bytes().into_owned();
    let name = String::from_utf8_lossy(&name).into_owned();
    let path = inside(&name).ok_or_else(|| {
        format!("{name:?} leaves the folder of the archive: expected a name inside")
    })?;
    let path = folder.join(path);
    match entry.header().entry_type() {
        EntryType::Directory => {
            fs::create_dir_all(&path).map_err(|error| naming(path.display(), &error).to_string())
        }
        EntryType::Regular => unpack_file(entry, &path),
        _ => Err(format!(
            "{name:?} is neither file nor folder: expected no links and no devices"
        )),
    }
}

fn unpack_file(entry: &mut Entry<'_, impl Read>, path: &Path) -> Result<(), String> {
    let naming = |error: io::Error| naming(path.display(), &error).to_string();
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(naming)?;
    }
    let mode = entry.header().mode();
    let is_executable = mode.is_ok_and(|mode| mode & 0o111 != 0);
    let file = platform::create_read_only(path, is_executable);
    let mut file = file.map_err(naming)?;
    let size = entry.size();
    match io::copy(entry, &mut file).map_err(naming)? == size {
        true => Ok(()),
        false => Err(unreadable(&io::ErrorKind::UnexpectedEof.into())),
    }
}

/// Returns the relative path of an entry name; `None` if it would leave the folder.
pub(crate) fn inside(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let mut components = path.components();
    let is_inside = components.all(|component| matches!(component, Component::Normal(_)));
    (is_inside && !name.is_empty() && !name.contains('\0')).then(|| path.to_owned())
}

#[cfg(test)]
mod tests;
