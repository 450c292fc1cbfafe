// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of games: moves with comments and variations, and the file formats that hold them.
//!
//! | format | module | reads | writes | keeps |
//! | --- | --- | --- | --- | --- |
//! | SGF FF\[4\] GM\[4\] | [`sgf`] | yes | yes | all but the time of each move |
//! | Piskvork `.psq` | [`psq`] | yes | yes | size, moves, times, names |
//! | RenLib `.lib` | [`lib_file`] | yes | yes | moves, variations, comments, labels, marks |
//! | `.pos` | [`pos`] | yes | yes | moves |
//! | moves as text | [`text`] | yes | yes | size, moves |
//!
//! What comes from outside is bounded: [`MAX_BYTES`], [`MAX_NODES`]; a line is never longer than
//! the board has points.
//!
//! ```
//! use wuzi_record::Format;
//!
//! let record = Format::Sgf.read(b"(;GM[4]SZ[15]PB[Ada];B[hh];W[ig](;B[jh])(;B[jf]C[better]))")?;
//! assert_eq!(record.info.black, "Ada");
//! assert_eq!(Format::Text.write(&record)?, b"# board 15, row 1 at the bottom\nh8 i9 j8\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod charset;
mod error;
mod format;
mod info;
pub mod lib_file;
pub mod openings;
pub mod pos;
pub mod psq;
mod record;
pub mod sgf;
#[cfg(test)]
mod testing;
pub mod text;

pub use error::{Place, ReadError, Reason, WriteError};
pub use format::{Format, MAX_BYTES};
pub use info::{Info, Verdict, WonBy};
pub use record::{AddError, MAX_NODES, NodeId, Record};
