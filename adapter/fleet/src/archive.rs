//! Programs as compressed tar archives: packed by the coordinator, unpacked by workers that accept them.
//!
//! An archive holds only regular files and folders under relative paths. Links, devices, paths that leave the folder and
//! archives above the size limits are errors.

use std::error::Error;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use record::file::naming;
use tar::{Archive, Builder, Entry, EntryType, HeaderMode};

/// Maximum size of an archive, in bytes.
pub(crate) const MAX_ARCHIVE: usize = 256 << 20;

/// Maximum total size of its files, in bytes.
const MAX_UNPACKED: u64 = 1 << 30;

/// Maximum number of files and folders.
const MAX_ENTRIES: usize = 10_000;

/// Builds an archive from files and folders.
pub(crate) struct Packer {
    builder: Builder<GzEncoder<Vec<u8>>>,
    pub(crate) is_empty: bool,
}

impl Packer {
    pub(crate) fn new() -> Packer {
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        builder.mode(HeaderMode::Deterministic);
        builder.follow_symlinks(false);
        Packer {
            builder,
            is_empty: true,
        }
    }

    /// Adds a file, or a folder and its contents, under the given name.
    ///
    /// # Errors
    /// It cannot be read; the error names it.
    pub(crate) fn add(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        self.is_empty = false;
        // The path itself may be a link.
        let added = path.canonicalize().and_then(|path| match path.is_dir() {
            true => self.builder.append_dir_all(name, path),
            false => self.builder.append_path_with_name(path, name),
        });
        added.map_err(|error| naming(path.display(), &error))
    }

    /// Finishes and returns the archive.
    ///
    /// # Errors
    /// A worker would reject it.
    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        let bytes = self.builder.into_inner()?.finish()?;
        let read = read(&bytes, |_| Ok(()));
        read.map(|()| bytes).map_err(io::Error::other)
    }
}

/// Unpacks an archive into an empty folder.
///
/// # Errors
/// The archive is invalid or a file cannot be written. The folder may then hold a part of the contents.
pub(crate) fn unpack(archive: &[u8], folder: &Path) -> Result<(), String> {
    read(archive, |entry| entry.unpack_in(folder).map(drop))
}

type Bytes<'a> = io::Take<GzDecoder<&'a [u8]>>;

/// Reads an archive, and takes each entry.
fn read<'a>(
    archive: &'a [u8],
    mut take: impl FnMut(&mut Entry<'_, Bytes<'a>>) -> io::Result<()>,
) -> Result<(), String> {
    let (unpacked, packed) = (MAX_UNPACKED >> 20, MAX_ARCHIVE >> 20);
    let too_large = || {
        format!(
            "too much for an archive, which holds at most {MAX_ENTRIES} files, {unpacked} MiB in all and {packed} MiB packed"
        )
    };
    if archive.len() > MAX_ARCHIVE {
        return Err(too_large());
    }
    // The header blocks of tar count too.
    let most = MAX_UNPACKED + MAX_ENTRIES as u64 * 1024;
    let mut archive = Archive::new(GzDecoder::new(archive).take(most));
    archive.set_overwrite(false);
    archive.set_preserve_mtime(false);
    let mut left = MAX_UNPACKED;
    for (number, entry) in archive.entries().map_err(unreadable)?.enumerate() {
        let mut entry = entry.map_err(unreadable)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if number >= MAX_ENTRIES || entry.size() > left {
            return Err(too_large());
        }
        left -= entry.size();
        if inside(&name).is_none() {
            return Err(format!("{name:?} leaves the folder of the archive"));
        }
        if !matches!(
            entry.header().entry_type(),
            EntryType::Directory | EntryType::Regular
        ) {
            return Err(format!(
                "{name:?} is neither file nor folder, but a link or a device"
            ));
        }
        take(&mut entry).map_err(|error| {
            // The error of tar hides the one of the system.
            let mut cause: &dyn Error = &error;
            while let Some(source) = cause.source() {
                cause = source;
            }
            let cause = cause.downcast_ref().map(|cause| naming(&name, cause));
            cause.unwrap_or(error).to_string()
        })?;
    }
    // Reading to the end verifies the checksum.
    let rest = io::copy(&mut archive.into_inner(), &mut io::sink());
    rest.map(drop).map_err(unreadable)
}

fn unreadable(error: io::Error) -> String {
    format!("not an archive: {error}")
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
