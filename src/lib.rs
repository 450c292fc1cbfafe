// SPDX-License-Identifier: GPL-3.0-only
//! Wuzi (五子棋): the controller of the game and the bindings of its interface.
#![no_std]
extern crate alloc;
