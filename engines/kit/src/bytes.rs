//! Binary files: little-endian numbers and texts between a magic number and a CRC-32.

use crate::Rejection;

/// Appends values to the content of a file.
#[derive(Debug, Default)]
pub struct Encoder(pub Vec<u8>);

impl Encoder {
    /// A number of four bytes.
    pub fn put_u32(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    /// A number of eight bytes.
    pub fn put_u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// Floating-point numbers of four bytes.
    pub(crate) fn put_f32s(&mut self, numbers: &[f32]) {
        self.0
            .extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    /// The length, then the text.
    pub fn put_text(&mut self, text: &str) {
        self.put_u32(text.len() as u32);
        self.0.extend(text.as_bytes());
    }

    /// The content with the CRC-32 of all bytes so far.
    pub fn finish(mut self) -> Vec<u8> {
        self.put_u32(crc32fast::hash(&self.0));
        self.0
    }
}

/// Reads values from the content of a file; each is `None` at the end of the bytes.
#[derive(Debug)]
pub struct Decoder<'a>(pub &'a [u8]);

impl<'a> Decoder<'a> {
    /// The bytes between `magic` and the CRC-32, which must be right. `what` names the content in errors.
    pub fn checked(bytes: &'a [u8], magic: &[u8], what: &str) -> Result<Decoder<'a>, Rejection> {
        let Some(rest) = bytes.strip_prefix(magic) else {
            let magic = String::from_utf8_lossy(magic);
            let why = format!(
                "not a {what} file of this version: expected {:?}",
                magic.trim_end()
            );
            return Err(Rejection(why));
        };
        let body = rest.split_last_chunk().filter(|(_, crc)| {
            crc32fast::hash(&bytes[..bytes.len() - 4]) == u32::from_le_bytes(**crc)
        });
        let (body, _) = body.ok_or("damaged: the checksum is wrong")?;
        Ok(Decoder(body))
    }

    /// Reads the shape of weights: the number of rows, and `width`.
    pub fn shape(&mut self, width: usize) -> Option<usize> {
        let n_rows = self.u32()? as usize;
        (self.u32()? as usize == width).then_some(n_rows)
    }

    /// The next bytes.
    pub fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A row of `N` finite floating-point numbers.
    pub(crate) fn f32s<const N: usize>(&mut self) -> Option<[f32; N]> {
        let (numbers, _) = self.bytes(4 * N)?.as_chunks();
        let row = std::array::from_fn(|i| f32::from_le_bytes(numbers[i]));
        row.iter().all(|number| number.is_finite()).then_some(row)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let n = self.u32()?;
        String::from_utf8(self.bytes(n as usize)?.to_vec()).ok()
    }

    /// A row of `N` numbers of two bytes.
    pub fn row<const N: usize>(&mut self) -> Option<[i16; N]> {
        let (numbers, _) = self.bytes(2 * N)?.as_chunks();
        Some(std::array::from_fn(|i| i16::from_le_bytes(numbers[i])))
    }

    /// Fails unless all bytes were read.
    pub fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
