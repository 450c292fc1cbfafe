// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games of a match as records, and as files for other programs.

use wuzi_engine::Color;
use wuzi_record::{Record, Verdict, WonBy};

use super::referee::{End, Played, Terms};

/// The record of a game; the comment at its end says what ended it.
#[must_use]
pub fn record(terms: &Terms, black: &str, white: &str, played: &Played) -> Record {
    let mut record = Record::new(terms.size);
    let mut at = Record::ROOT;
    for (&point, time) in played.moves.iter().zip(&played.times) {
        // The referee lets no impossible move pass.
        let Ok(next) = record.add(at, point) else { break };
        record.set_millis(next, Some(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)));
        at = next;
    }
    record.set_comment(at, &played.end.to_string());
    record.info.black = black.to_owned();
    record.info.white = white.to_owned();
    record.info.rule = Some(terms.rule);
    record.info.verdict = verdict(played.winner, &played.end);
    record
}

fn verdict(winner: Option<Color>, end: &End) -> Verdict {
    let Some(winner) = winner else { return Verdict::Draw };
    Verdict::Won(
        winner,
        match end {
            End::Time(_) | End::GameTime(_) => WonBy::Time,
            end if end.is_fault() => WonBy::Forfeit,
            _ => WonBy::Stones,
        },
    )
}

/// The record as Piskvork's `.psq`.
#[must_use]
pub fn psq(terms: &Terms, black: &str, white: &str, played: &Played) -> String {
    wuzi_record::psq::write(&record(terms, black, white, played))
}

/// The record as SGF.
#[must_use]
pub fn sgf(terms: &Terms, black: &str, white: &str, played: &Played) -> String {
    wuzi_record::sgf::write(&record(terms, black, white, played))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use wuzi_engine::{Point, Rule, Size};
    use wuzi_record::Format;

    use super::*;

    fn terms() -> Terms {
        Terms {
            size: Size::DEFAULT,
            rule: Rule::Freestyle,
            turn: Duration::from_secs(1),
            game: None,
            tolerance: Duration::ZERO,
            draw_after: 0,
            proof_nodes: 0,
        }
    }

    fn played() -> Played {
        Played {
            moves: vec![Point::new(7, 7), Point::new(0, 14)],
            times: vec![Duration::from_millis(12), Duration::ZERO],
            winner: Some(Color::Black),
            end: End::Illegal("a [bracket] and a \\".to_owned()),
        }
    }

    #[test]
    fn a_psq_holds_names_moves_and_times() {
        let text = psq(&terms(), "one\r\ntwo", "white", &played());
        let expected = "Piskvorky 15x15, 11:11, 0\r\n8,8,12\r\n1,15,0\r\none two\r\nwhite\r\n-1\r\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_sgf_says_who_won_and_why() {
        let text = sgf(&terms(), "a]b", "white", &played());
        let read = Format::Sgf.read(text.as_bytes()).unwrap();
        assert_eq!(read.info, record(&terms(), "a]b", "white", &played()).info);
        assert_eq!(read.info.verdict, Verdict::Won(Color::Black, WonBy::Forfeit));
        assert_eq!(read.main_line(), played().moves);
        let end = read.line_from(Record::ROOT).last().unwrap();
        assert_eq!(read.comment(end), "illegal move: a [bracket] and a \\");
    }

    #[test]
    fn the_longest_game_is_written() {
        let moves: Vec<_> = Size::MAX.iter().collect();
        let times = vec![Duration::ZERO; moves.len()];
        let played = Played { moves, times, winner: None, end: End::FullBoard };
        let text = sgf(&Terms { size: Size::MAX, ..terms() }, "b", "w", &played);
        assert!(text.contains("SZ[20]") && text.contains("RE[0]") && text.contains("W[tt]C[full board]"));
    }
}
