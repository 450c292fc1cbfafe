// SPDX-License-Identifier: GPL-3.0-only
//! What is said of an error, in each language of the interface. The texts of the pages are in `ui/` and
//! `lang/`; these are known only when something fails, and the command line says them too.

use alloc::string::String;
use core::fmt;

use crate::settings::Language;

/// A sentence, or a part of one, in each language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    english: String,
    chinese: String,
}

impl Message {
    /// What is said in English and in Chinese.
    #[must_use]
    pub fn new(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self { english: english.into(), chinese: chinese.into() }
    }

    /// The text for this language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::Chinese => &self.chinese,
            Language::English | Language::System => &self.english,
        }
    }
}

/// Words of the system or of another program, which are the same in each language.
impl From<String> for Message {
    fn from(words: String) -> Self {
        Self { english: words.clone(), chinese: words }
    }
}

impl From<&str> for Message {
    fn from(words: &str) -> Self {
        Self::new(words, words)
    }
}

/// English, for the log.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

#[cfg(feature = "std")]
mod files {
    use alloc::format;
    use std::io::{self, ErrorKind};
    use std::path::Path;

    use wuzi_record::{AddError, MAX_BYTES, MAX_NODES, Place, ReadError, Reason, WriteError};

    use super::{Message, String};

    impl Message {
        /// Of something that has this path.
        #[must_use]
        pub fn at(self, path: &Path) -> Self {
            let path = path.display();
            Self::new(format!("{path}: {}", self.english), format!("{path}：{}", self.chinese))
        }
    }

    impl From<&io::Error> for Message {
        fn from(error: &io::Error) -> Self {
            let chinese = match error.kind() {
                ErrorKind::NotFound => "没有这个文件或目录",
                ErrorKind::PermissionDenied => "没有权限",
                ErrorKind::AlreadyExists => "已经存在",
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "磁盘已满",
                ErrorKind::ReadOnlyFilesystem => "磁盘是只读的",
                ErrorKind::IsADirectory => "这是目录，不是文件",
                ErrorKind::NotADirectory => "路径中有一处不是目录",
                ErrorKind::InvalidFilename => "文件名不合要求",
                ErrorKind::FileTooLarge => "文件太大",
                _ => return error.to_string().into(),
            };
            Self::new(error.to_string(), chinese)
        }
    }

    impl From<&ReadError> for Message {
        fn from(error: &ReadError) -> Self {
            let place = match error.place {
                Place::Line(line, column) => format!("第 {line} 行第 {column} 列"),
                Place::Byte(byte) => format!("第 {byte} 字节"),
            };
            Self::new(error.to_string(), format!("{place}：{}", reason(&error.reason)))
        }
    }

    impl From<&WriteError> for Message {
        fn from(error: &WriteError) -> Self {
            let chinese = match error {
                WriteError::Not15Lines => "这种格式只能存 15×15 棋盘的对局；SGF 各种大小都能存",
            };
            Self::new(error.to_string(), chinese)
        }
    }

    fn reason(reason: &Reason) -> String {
        match reason {
            Reason::TooLong => return format!("文件超过 {} MiB", MAX_BYTES >> 20),
            Reason::Empty => "文件是空的",
            Reason::Move(AddError::OffBoard) => "这一点不在棋盘上",
            Reason::Move(AddError::Occupied) => "这一点已有棋子",
            Reason::Move(AddError::Full) => return format!("超过 {MAX_NODES} 手"),
            Reason::Passed => "有一手停着，五子棋里没有",
            Reason::BoardSize => "棋盘须是方的，10 到 20 路",
            Reason::NotSgf => "不是 SGF 文件：没有“(”",
            Reason::VariationStart => "变化须以“;”开头",
            Reason::NoNode => "对局里没有节点",
            Reason::NoSign => "此处应是“;”“(”或“)”",
            Reason::EndsEarly => "对局未完，文件就结束了",
            Reason::NoValue => "属性没有值",
            Reason::OpenValue => "值没有以“]”结束",
            Reason::OtherGame => "是另一种棋：五子棋是 GM[4]",
            Reason::TwoMoves => "一个节点里有两手",
            Reason::SideTwice => "同一方连下了两手",
            Reason::NoPoint => "此处应是一点，例如 [hh]",
            Reason::LateSetup => "落子之后又摆了棋子",
            Reason::UnevenSetup => "摆的棋子不可能是轮流下的：黑子须与白子一样多，或多一个",
            Reason::NotPiskvork => "不是 Piskvork 对局：缺少开头“Piskvorky 15x15, 11:11, 0”",
            Reason::NoHeadingSize => "开头没有写棋盘大小，例如 15x15",
            Reason::TooManyMoves => "手数比任何棋盘的点数都多",
            Reason::NoMove(found) => return format!("此处应是一手，例如 h8，却是“{found}”"),
            Reason::Count { announced, follow } => {
                return format!("写明 {announced} 手，后面却有 {follow} 字节");
            }
            Reason::NotRenLib => "不是 RenLib 棋谱：既没有文件头，第一手也不在 h8",
            Reason::Extension([first, second]) => return format!("不认识扩展 {first:02X} {second:02X}"),
            Reason::AfterTree => "棋谱结束之后文件还有内容",
            Reason::OpenText => "文字没有结束",
        }
        .into()
    }
}
