// SPDX-License-Identifier: GPL-2.0-only
//! The program to run: the loadable parts of an ELF file.

use std::fmt;

use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};

/// A program as bytes at the addresses where the flash memory holds them.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Load address and contents of each part.
    pub parts: Vec<(u32, Vec<u8>)>,
    symbols: Vec<(u32, u32, String)>,
}

/// Why a file is no program for the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// The file is no readable ELF file.
    Elf(String),
    /// It was built for another machine than a little-endian 32-bit Arm.
    Machine,
    /// Nothing in it is loaded.
    Empty,
    /// A part lies outside of the flash memory.
    Outside {
        /// Its load address.
        address: u32,
        /// Its length in bytes.
        size: usize,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elf(reason) => write!(f, "this is no readable ELF file: {reason}"),
            Self::Machine => {
                write!(f, "this program is not for a 32-bit Arm core; build it for thumbv7em-none-eabihf")
            }
            Self::Empty => write!(f, "this ELF file has nothing to load"),
            Self::Outside { address, size } => {
                write!(
                    f,
                    "{size} bytes at {address:#010x} lie outside of the flash memory (1 MiB at 0x08000000)"
                )
            }
        }
    }
}

impl std::error::Error for ImageError {}

impl Image {
    /// Takes the loadable parts out of an ELF file.
    ///
    /// # Errors
    /// If the file is not an ELF file for the board's core, or loads nothing or outside of the flash memory.
    pub fn from_elf(file: &[u8]) -> Result<Self, ImageError> {
        let elf = object::File::parse(file).map_err(|error| ImageError::Elf(error.to_string()))?;
        if elf.architecture() != object::Architecture::Arm || elf.is_64() || !elf.is_little_endian() {
            return Err(ImageError::Machine);
        }
        let mut parts = Vec::new();
        for (segment, address) in elf.segments().zip(load_addresses(file, &elf)) {
            let data = segment.data().map_err(|error| ImageError::Elf(error.to_string()))?;
            if data.is_empty() {
                continue;
            }
            let outside = ImageError::Outside { address, size: data.len() };
            let offset = address.checked_sub(crate::bus::FLASH_BASE).ok_or(outside.clone())? as usize;
            if offset + data.len() > crate::bus::FLASH_SIZE as usize {
                return Err(outside);
            }
            parts.push((address, data.to_vec()));
        }
        if parts.is_empty() {
            return Err(ImageError::Empty);
        }
        let mut symbols: Vec<_> = elf
            .symbols()
            // Among them those of the linker script, which have no type.
            .filter(|symbol| {
                !symbol.is_undefined() && !matches!(symbol.kind(), SymbolKind::File | SymbolKind::Section)
            })
            .filter_map(|symbol| {
                let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
                Some((
                    u32::try_from(symbol.address()).ok()?,
                    u32::try_from(symbol.size()).ok()?,
                    name.to_owned(),
                ))
            })
            .collect();
        symbols.sort();
        Ok(Self { parts, symbols })
    }

    /// The address of the symbol with this exact name, as in the linker's table.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<u32> {
        self.symbols.iter().find(|(_, _, symbol)| symbol == name).map(|&(address, ..)| address)
    }

    /// The address of the only symbol whose name contains this, for names with a part that the compiler
    /// makes up.
    #[must_use]
    pub fn find(&self, part: &str) -> Option<u32> {
        let mut found = self.symbols.iter().filter(|(_, _, symbol)| symbol.contains(part));
        let (address, ..) = found.next()?;
        found.next().is_none().then_some(*address)
    }

    /// The function that holds the instruction at `address`, as the linker names it.
    #[must_use]
    pub fn function_at(&self, address: u32) -> Option<&str> {
        let covers = |&&(start, size, _): &&(u32, u32, String)| {
            let start = start & !1;
            (start..start.saturating_add(size.max(2))).contains(&(address & !1))
        };
        self.symbols.iter().rev().find(covers).map(|(.., name)| name.as_str())
    }
}

/// The physical addresses of the segments: initialised data is stored in flash, but used in RAM.
fn load_addresses<'a>(file: &'a [u8], elf: &object::File<'a>) -> impl Iterator<Item = u32> {
    use object::read::elf::{ElfFile32, ProgramHeader};
    let endian = object::Endianness::Little;
    let headers: Vec<u32> = ElfFile32::<object::Endianness>::parse(file)
        .map(|elf| {
            elf.elf_program_headers()
                .iter()
                .filter(|header| header.p_type(endian) == object::elf::PT_LOAD)
                .map(|header| header.p_paddr(endian))
                .collect()
        })
        .unwrap_or_default();
    debug_assert_eq!(headers.len(), elf.segments().count());
    headers.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_file_is_refused() {
        assert!(matches!(Image::from_elf(b"not a program"), Err(ImageError::Elf(_))));
    }
}
