//! Snapshots of a build, from which it can be resumed: the stage and all cells. A snapshot is replaced atomically.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::TableError;
use super::cells::Cell;
use super::file::Identity;
use super::solver::Solver;
use crate::bytes::{Decoder, Encoder};

const MAGIC: &[u8; 8] = b"LINESSNP";
const VERSION: u32 = 2;

/// Bytes written or read at a time.
const CHUNK: usize = 1 << 20;

/// A snapshot on disk.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) path: PathBuf,
    pub(super) temporary: PathBuf,
}

impl Snapshot {
    /// Replaces the snapshot. If this fails, the previous one is kept.
    pub(super) fn save<M, C: Cell>(
        &self,
        identity: &Identity,
        solver: &Solver<'_, M, C>,
    ) -> Result<(), TableError> {
        let written = self
            .write(identity, solver)
            .and_then(|()| fs::rename(&self.temporary, &self.path));
        if written.is_err() {
            // The write error is returned below.
            let _ = fs::remove_file(&self.temporary);
        }
        written.map_err(TableError::io(&self.path))
    }

    fn write<M, C: Cell>(&self, identity: &Identity, solver: &Solver<'_, M, C>) -> io::Result<()> {
        let mut out = Checked::new(BufWriter::new(File::create(&self.temporary)?));
        out.write_all(&head::<C>(identity))?;
        out.write_all(&solver.stage.to_le_bytes())?;
        let mut bytes = Vec::with_capacity(CHUNK);
        for cells in solver.cells.chunks(CHUNK / C::N_BYTES) {
            bytes.clear();
            for cell in cells {
                bytes.extend_from_slice(&cell.load().to_le_bytes()[..C::N_BYTES]);
            }
            out.write_all(&bytes)?;
        }
        let crc = out.crc.clone().finalize();
        let mut out = out.inner;
        out.write_all(&crc.to_le_bytes())?;
        out.into_inner()
            .map_err(io::IntoInnerError::into_error)?
            .sync_all()
    }

    /// Restores the solver's state from the snapshot. Returns `false` if there is none.
    ///
    /// # Errors
    /// The snapshot belongs to another table or is damaged.
    pub(super) fn restore<M, C: Cell>(
        &self,
        identity: &Identity,
        solver: &mut Solver<'_, M, C>,
    ) -> Result<bool, TableError> {
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file.map_err(TableError::io(&self.path))?,
        };
        let damaged = || {
            let what = "an incomplete or changed snapshot: remove it to begin anew";
            TableError::foreign(&self.path, what)
        };
        let mut file = Checked::new(BufReader::new(file));
        let expected = head::<C>(identity);
        let mut head = vec![0; expected.len()];
        let is_same = file.read_exact(&mut head).is_ok() && head == expected;
        if !is_same {
            let what =
                format!("no snapshot of {identity} by this version: remove it to begin anew");
            return Err(TableError::foreign(&self.path, what));
        }
        let mut stage = [0; 4];
        file.read_exact(&mut stage).map_err(|_| damaged())?;
        let mut bytes = vec![0; CHUNK];
        for cells in solver.cells.chunks(CHUNK / C::N_BYTES) {
            let bytes = &mut bytes[..cells.len() * C::N_BYTES];
            file.read_exact(bytes).map_err(|_| damaged())?;
            for (cell, bytes) in cells.iter().zip(bytes.chunks(C::N_BYTES)) {
                let mut code = [0; 2];
                code[..C::N_BYTES].copy_from_slice(bytes);
                cell.store(u16::from_le_bytes(code));
            }
        }
        let crc = file.crc.clone().finalize();
        let mut end = Vec::new();
        file.inner.read_to_end(&mut end).map_err(|_| damaged())?;
        if Decoder(&end).take_u32() != Some(crc) || end.len() != 4 {
            return Err(damaged());
        }
        solver.stage = u32::from_le_bytes(stage);
        Ok(true)
    }

    /// Removes the snapshot when it is no longer needed.
    pub(super) fn remove(&self) -> Result<(), TableError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(TableError::io(&self.path)),
        }
    }

    pub(super) fn at(path: &Path) -> Snapshot {
        let with = |end: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        Snapshot {
            path: with(".snapshot"),
            temporary: with(".snapshot.tmp"),
        }
    }
}

/// The header of a snapshot of this table.
fn head<C: Cell>(identity: &Identity) -> Vec<u8> {
    let mut head = Encoder(MAGIC.to_vec());
    head.put_u32(VERSION);
    head.put_text(&identity.game);
    head.put_text(&identity.options);
    head.put_u64(identity.n_numbers);
    head.put_u32(C::N_BYTES as u32);
    head.0
}

/// A reader or writer that updates a checksum.
struct Checked<I> {
    inner: I,
    crc: crc32fast::Hasher,
}

impl<I> Checked<I> {
    fn new(inner: I) -> Checked<I> {
        Checked {
            inner,
            crc: crc32fast::Hasher::new(),
        }
    }
}

impl<W: Write> Checked<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Checked<R> {
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.crc.update(bytes);
        Ok(())
    }
}
