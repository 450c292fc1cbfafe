// SPDX-License-Identifier: MIT OR Apache-2.0
//! Victory by continuous threats: every move of the attacker makes a four or threatens a straight or
//! double four, and all answers of the defender lose.
//!
//! Depth-first proof-number search (Nagai 2002): each position has a proof number, how many open
//! positions have to be won at least to win it, and a disproof number likewise; the search always
//! goes to the position that is cheapest to decide, within thresholds that keep it from jumping.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::Color;
use crate::combo::Threat;
use crate::memory::zeroed;
use crate::position::{Position, Square};
use crate::vcf::{Found, Vcf};

/// A proof or disproof number that cannot be reached.
const INFINITE: u32 = 1 << 30;
/// The positions entered to look for a win by fours in a new position.
const VCF_NODES: u64 = 20;
/// The longest line looked for, in plies.
const PLIES: usize = 120;

/// The proof and the disproof number of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const WON: Self = Self { proof: 0, disproof: INFINITE };
    const LOST: Self = Self { proof: INFINITE, disproof: 0 };
    const NEW: Self = Self { proof: 1, disproof: 1 };

    const fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// What is remembered of a position: a half of its key, never 0, and its proof and disproof number.
type Entry = [u32; 3];

/// A solver with its memory.
#[derive(Clone, Debug)]
pub(crate) struct Vct {
    entries: Box<[Entry]>,
    vcf: Vcf,
    nodes: u64,
    limit: u64,
    candidates: Vec<Square>,
    line: Vec<Square>,
}

impl Vct {
    /// A solver with a memory of about `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let count = 1 << (bytes / size_of::<Entry>()).max(2).ilog2();
        Self {
            entries: zeroed(count),
            vcf: Vcf::new(bytes / 8, PLIES / 2),
            nodes: 0,
            limit: 0,
            candidates: Vec::new(),
            line: Vec::new(),
        }
    }

    /// Looks for a win of `attacker`, who is to move, entering about `limit` positions at most. The
    /// position is unchanged afterwards.
    pub(crate) fn solve(&mut self, position: &mut Position, attacker: Color, limit: u64) -> Found {
        self.nodes = 0;
        self.limit = limit;
        self.line.clear();
        self.candidates.clear();
        let all = Numbers { proof: INFINITE, disproof: INFINITE };
        let numbers = self.attack(position, attacker, all, 0);
        if numbers.disproof == 0 {
            return Found::None;
        }
        if numbers.proof != 0 {
            return Found::Unknown;
        }
        // Positions on the line that were forgotten are proven again.
        self.limit = limit.saturating_mul(2);
        let start = self.placed(position);
        let complete = self.trace(position, attacker);
        while self.placed(position) > start {
            position.undo();
        }
        if complete { Found::Win } else { Found::Unknown }
    }

    /// The positions entered by the last call of [`solve`](Self::solve).
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line of the last win: attacker, defender, …, up to the attacker's move that can no longer
    /// be answered.
    pub(crate) fn line(&self) -> impl Iterator<Item = Square> + '_ {
        self.line.iter().copied()
    }

    fn placed(&self, position: &Position) -> usize {
        position.stones()
    }

    fn key(position: &Position, attacker: Color) -> u64 {
        position.hash() ^ if attacker == Color::Black { 0x1656_67b1_9e37_79f9 } else { 0x27d4_eb2f_1656_67c5 }
    }

    fn get(&self, key: u64) -> Option<Numbers> {
        let [check, proof, disproof] = self.entries[key as usize & (self.entries.len() - 1)];
        (check == (key >> 32) as u32 | 1).then_some(Numbers { proof, disproof })
    }

    fn put(&mut self, key: u64, numbers: Numbers) -> Numbers {
        let slot = key as usize & (self.entries.len() - 1);
        self.entries[slot] = [(key >> 32) as u32 | 1, numbers.proof, numbers.disproof];
        numbers
    }

    fn legal(position: &Position, color: Color, threat: Threat) -> Option<Square> {
        if position.count(color, threat) == 0 {
            return None;
        }
        position.squares(color, threat).iter().find(|&square| position.is_legal(square, color))
    }

    /// A straight or double four that `color` can make.
    fn double(position: &Position, color: Color) -> Option<Square> {
        Self::legal(position, color, Threat::StraightFour)
            .or_else(|| Self::legal(position, color, Threat::DoubleFour))
    }

    /// The attacker's moves, if the position is not decided at once.
    fn attacks(&mut self, position: &mut Position, attacker: Color) -> Result<(), Numbers> {
        let defender = attacker.opposite();
        if position.count(attacker, Threat::Five) > 0 {
            return Err(Numbers::WON);
        }
        if let Some(block) = position.squares(defender, Threat::Five).first() {
            if position.count(defender, Threat::Five) > 1 || !position.is_legal(block, attacker) {
                return Err(Numbers::LOST);
            }
            self.candidates.push(block);
            return Ok(());
        }
        if Self::double(position, attacker).is_some() {
            return Err(Numbers::WON);
        }
        let start = self.candidates.len();
        for threat in [Threat::FourThree, Threat::Four] {
            self.candidates.extend(position.squares(attacker, threat).iter());
        }
        // A three is too slow against a straight four, unless it stops that too.
        let stops = Self::double(position, defender).map(|_| position.defences(attacker, defender));
        for threat in [Threat::DoubleThree, Threat::Three] {
            let threes = position.squares(attacker, threat).iter();
            self.candidates.extend(threes.filter(|&three| stops.is_none_or(|stops| stops.contains(three))));
        }
        if self.candidates.len() == start {
            return Err(Numbers::LOST);
        }
        let order = |&square: &Square| {
            Reverse(
                position.weights(attacker).attack(position.combo(square, attacker))
                    + position.weights(defender).defence(position.combo(square, defender)),
            )
        };
        self.candidates[start..].sort_by_key(order);
        Ok(())
    }

    /// The defender's moves, if the position is not decided at once.
    fn defences(&mut self, position: &mut Position, attacker: Color) -> Result<(), Numbers> {
        let defender = attacker.opposite();
        if position.count(defender, Threat::Five) > 0 {
            return Err(Numbers::LOST);
        }
        if let Some(block) = position.squares(attacker, Threat::Five).first() {
            if position.count(attacker, Threat::Five) > 1 || !position.is_legal(block, defender) {
                return Err(Numbers::WON);
            }
            self.candidates.push(block);
            return Ok(());
        }
        if Self::double(position, attacker).is_none() || Self::double(position, defender).is_some() {
            return Err(Numbers::LOST);
        }
        let start = self.candidates.len();
        self.candidates.extend(position.defences(defender, attacker).iter());
        let order = |&square: &Square| {
            Reverse(
                position.weights(defender).attack(position.combo(square, defender))
                    + position.weights(attacker).defence(position.combo(square, attacker)),
            )
        };
        self.candidates[start..].sort_by_key(order);
        Ok(())
    }

    /// The numbers of a position with the attacker to move, searched until one of them reaches its
    /// limit.
    fn attack(&mut self, position: &mut Position, attacker: Color, limits: Numbers, ply: usize) -> Numbers {
        let key = Self::key(position, attacker);
        let start = self.candidates.len();
        if let Err(numbers) = self.attacks(position, attacker) {
            return self.put(key, numbers);
        }
        if self.get(key).is_none() {
            let found =
                self.vcf.solve(position, attacker, VCF_NODES.min(self.limit.saturating_sub(self.nodes)));
            self.nodes += self.vcf.nodes();
            if found == Found::Win {
                self.candidates.truncate(start);
                return self.put(key, Numbers::WON);
            }
        }
        let numbers = self.expand(position, attacker, start, true, limits, ply);
        self.candidates.truncate(start);
        self.put(key, numbers)
    }

    /// As [`attack`](Self::attack) with the defender to move.
    fn defend(&mut self, position: &mut Position, attacker: Color, limits: Numbers, ply: usize) -> Numbers {
        let key = Self::key(position, attacker);
        let start = self.candidates.len();
        let numbers = match self.defences(position, attacker) {
            Err(numbers) => numbers,
            Ok(()) => self.expand(position, attacker, start, false, limits, ply),
        };
        self.candidates.truncate(start);
        self.put(key, numbers)
    }

    /// Searches the cheapest move again and again. The candidates from `start` on are the moves.
    fn expand(
        &mut self,
        position: &mut Position,
        attacker: Color,
        start: usize,
        attacks: bool,
        limits: Numbers,
        ply: usize,
    ) -> Numbers {
        if ply >= PLIES {
            return Numbers::LOST;
        }
        let color = if attacks { attacker } else { attacker.opposite() };
        let end = self.candidates.len();
        // Moves that the rule forbids are dropped once.
        let mut kept = start;
        for index in start..end {
            let square = self.candidates[index];
            if position.is_legal(square, color) {
                self.candidates[kept] = square;
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
        loop {
            // From the mover's view: what it wants is the least of its moves, what it fears the sum.
            let (mut least, mut second, mut sum) = (INFINITE, INFINITE, 0u32);
            let mut best = None;
            for index in start..kept {
                let square = self.candidates[index];
                let key = Self::key(position, attacker) ^ crate::position::stone_hash(square, color);
                let numbers = self.get(key).unwrap_or(Numbers::NEW);
                let (want, fear) = if attacks {
                    (numbers.proof, numbers.disproof)
                } else {
                    (numbers.disproof, numbers.proof)
                };
                sum = (sum + fear).min(INFINITE);
                if want < least {
                    second = least;
                    least = want;
                    best = Some((square, numbers));
                } else if want < second {
                    second = want;
                }
            }
            if least == 0 {
                sum = INFINITE;
            }
            let numbers = if attacks {
                Numbers { proof: least, disproof: sum }
            } else {
                Numbers { proof: sum, disproof: least }
            };
            let reached = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if numbers.is_decided() || reached || self.nodes >= self.limit {
                return numbers;
            }
            let Some((square, child)) = best else {
                return numbers;
            };
            let (want_limit, fear_limit) =
                if attacks { (limits.proof, limits.disproof) } else { (limits.disproof, limits.proof) };
            let child_fear = if attacks { child.disproof } else { child.proof };
            let want = want_limit.min(second.saturating_add(1 + second / 4));
            let fear = fear_limit.saturating_sub(sum - child_fear).min(INFINITE);
            let child_limits = if attacks {
                Numbers { proof: want, disproof: fear }
            } else {
                Numbers { proof: fear, disproof: want }
            };
            self.nodes += 1;
            position.place(square, color);
            if attacks {
                self.defend(position, attacker, child_limits, ply + 1);
            } else {
                self.attack(position, attacker, child_limits, ply + 1);
            }
            position.undo();
        }
    }

    /// Plays a won position out along one line of best moves; `false` if a part could not be proven
    /// again. The stones stay on the position.
    fn trace(&mut self, position: &mut Position, attacker: Color) -> bool {
        let defender = attacker.opposite();
        let all = Numbers { proof: INFINITE, disproof: INFINITE };
        loop {
            if let Some(five) = position.squares(attacker, Threat::Five).first() {
                self.line.push(five);
                return true;
            }
            if position.count(defender, Threat::Five) == 0 {
                if let Some(double) = Self::double(position, attacker) {
                    self.line.push(double);
                    return true;
                }
                if self.vcf.solve(position, attacker, VCF_NODES) == Found::Win {
                    self.line.extend(self.vcf.line());
                    return true;
                }
            }
            self.candidates.clear();
            if self.attacks(position, attacker).is_err() {
                return false;
            }
            let moves = self.candidates.split_off(0);
            let won = moves.into_iter().find(|&square| {
                position.is_legal(square, attacker) && {
                    let key = Self::key(position, attacker) ^ crate::position::stone_hash(square, attacker);
                    self.get(key).is_some_and(|numbers| numbers.proof == 0)
                }
            });
            let Some(square) = won.or_else(|| self.prove_again(position, attacker)) else {
                return false;
            };
            position.place(square, attacker);
            self.line.push(square);
            self.candidates.clear();
            if self.defences(position, attacker).is_err() {
                // Nothing answers this move.
                return true;
            }
            let moves = self.candidates.split_off(0);
            // A defence that loses only to a search is more telling than one that loses at once.
            let mut answer = None;
            for square in moves {
                if !position.is_legal(square, defender) {
                    continue;
                }
                position.place(square, defender);
                let at_once = position.count(attacker, Threat::Five) > 0
                    || position.count(defender, Threat::Five) == 0
                        && Self::double(position, attacker).is_some();
                let lost = self.attack(position, attacker, all, 0).proof == 0;
                position.undo();
                if !lost {
                    return false;
                }
                if answer.is_none_or(|(_, quick)| quick && !at_once) {
                    answer = Some((square, at_once));
                }
            }
            let Some((answer, _)) = answer else {
                return true;
            };
            position.place(answer, defender);
            self.line.push(answer);
        }
    }

    /// The winning move of a position whose proof was forgotten.
    fn prove_again(&mut self, position: &mut Position, attacker: Color) -> Option<Square> {
        let all = Numbers { proof: INFINITE, disproof: INFINITE };
        self.candidates.clear();
        self.attacks(position, attacker).ok()?;
        let moves = self.candidates.split_off(0);
        moves.into_iter().find(|&square| {
            position.is_legal(square, attacker) && {
                position.place(square, attacker);
                let won = self.defend(position, attacker, all, 0).proof == 0;
                position.undo();
                won
            }
        })
    }
}
