//! Encoding of numbers and texts in files, little-endian.

/// Appends values to a byte vector.
#[derive(Debug, Default)]
pub(crate) struct Encoder(pub(crate) Vec<u8>);

impl Encoder {
    pub(crate) fn put_u32(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn put_u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// Writes the length in bytes, then the text.
    pub(crate) fn put_text(&mut self, text: &str) {
        self.put_u32(text.len() as u32);
        self.0.extend(text.as_bytes());
    }
}

/// Reads values from the front of a byte slice; each read returns `None` if too few bytes are left.
#[derive(Debug)]
pub(crate) struct Decoder<'a>(pub(crate) &'a [u8]);

impl<'a> Decoder<'a> {
    pub(crate) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn take_u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    pub(crate) fn take_u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    pub(crate) fn take_text(&mut self) -> Option<String> {
        let n = self.take_u32()?;
        String::from_utf8(self.take(n as usize)?.to_vec()).ok()
    }
}
