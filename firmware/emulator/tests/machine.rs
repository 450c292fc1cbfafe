// SPDX-License-Identifier: GPL-2.0-only
//! Small programs on the emulated board: what the core and its surroundings do together.

mod support;

use std::time::Duration;

use support::{board, config};
use wuzi_board::signal;
use wuzi_board::{Error, EventKind, Key, LcdKind, Machine, ResetCause, RngFault, TouchKind};

const SECOND: Duration = Duration::from_secs(1);

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

/// Waits for a text on the serial line.
#[track_caller]
fn expect(board: &mut Machine, text: &str) {
    let found = board.run_until(SECOND, |board| board.uart().contains(text)).expect("all is modelled");
    assert!(found, "no {text:?} in {:?}", board.uart());
    // The rest of the line.
    board.run_for(ms(10)).expect("all is modelled");
}

#[test]
fn clocks_serial_line_and_delays() {
    let mut board = board("lamp");
    board.run_for(SECOND).unwrap();
    assert_eq!(board.uart(), "hello at 168000000 Hz\n");
    let flashes = signal::lamp(board.events(), 0, 0);
    let frequency = signal::frequency(&flashes).unwrap();
    assert!((frequency - 5.0).abs() < 0.01, "{frequency} Hz");
    assert_eq!(board.warnings(), Vec::<&str>::new());
    // Time and cycles agree: the clock is 168 MHz for all but the first milliseconds.
    let now = board.now();
    assert!((1_000_000_000..1_000_001_000).contains(&now.ns));
    assert!((167_000_000..168_000_000).contains(&now.cycles), "{}", now.cycles);
}

#[test]
fn a_run_can_be_cut_into_pieces_without_a_difference() {
    let (mut whole, mut pieces) = (board("interrupts"), board("interrupts"));
    whole.run_for(ms(120)).unwrap();
    for _ in 0..120 {
        pieces.run_for(ms(1)).unwrap();
    }
    assert_eq!(whole.uart(), pieces.uart());
    let near = whole.instructions().abs_diff(pieces.instructions());
    assert!(near < 1000, "{} and {}", whole.instructions(), pieces.instructions());
}

#[test]
fn instructions_cost_as_much_as_the_factor_says() {
    let done = |factor: f64| {
        let mut config = config("faults");
        config.cycles.factor = factor;
        let mut board = Machine::new(config).unwrap();
        expect(&mut board, "reset by power");
        let (instructions, cycles) = (board.instructions(), board.now().cycles);
        board.run_for(ms(100)).unwrap();
        (board.now().cycles - cycles) as f64 / (board.instructions() - instructions) as f64
    };
    // Accesses to the bus cost the same with either.
    let (once, thrice) = (done(1.0), done(3.0));
    assert!(once >= 1.0 && (1.5 * once..=3.0 * once).contains(&thrice), "{once} and {thrice} cycles");
}

#[test]
fn interrupts_nest_and_keep_the_floating_point_registers() {
    let mut board = board("interrupts");
    board.run_for(ms(1050)).unwrap();
    let last = board.uart().lines().last().unwrap().to_owned();
    let values: Vec<u32> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [ticks, milliseconds, sums, wrong, keys] = values[..] else { panic!("{last}") };
    assert_eq!(ticks, 10);
    assert!((1000..1010).contains(&milliseconds), "{last}");
    assert!(sums >= milliseconds - 5, "{last}");
    assert_eq!((wrong, keys), (0, 0), "{last}");
    let flashes = signal::lamp(board.events(), 1, 0);
    assert!(flashes.iter().all(|flash| flash.length.as_millis().abs_diff(100) <= 1), "{flashes:?}");

    board.press(Key::Key0).unwrap();
    board.press(Key::Key0).unwrap();
    expect(&mut board, "keys 2");
    // While the core sleeps time passes without instructions.
    let (before, from) = (board.instructions(), board.now().cycles);
    board.run_for(ms(100)).unwrap();
    assert!(board.instructions() - before < board.now().cycles - from);
}

#[test]
fn the_lcd_is_identified_filled_and_written_by_dma() {
    let mut board = board("lcd");
    assert!(!board.visible());
    expect(&mut board, "line in");
    assert!(board.uart().starts_with("id 80 00\n"), "{}", board.uart());
    assert!(board.visible());
    let frame = board.frame().unwrap();
    assert_eq!([frame.pixel(0, 0), frame.pixel(479, 799)], [Some(0x07E0); 2]);
    let line: Vec<u16> = (0..480).map(|x| frame.pixel(x, 100).unwrap()).collect();
    assert_eq!(line, (0..480).collect::<Vec<u16>>());
    assert_eq!(frame.pixel(5, 101), Some(0x07E0));
    assert_eq!(board.warnings(), Vec::<&str>::new());
    // The bus takes 6 cycles a pixel (3 + 2 + 1), whoever writes.
    let cycles: Vec<u32> = board.uart().split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [filled, line] = cycles[cycles.len() - 2..] else { panic!("{}", board.uart()) };
    assert!((6 * 384_000..7 * 384_000).contains(&filled), "{filled} cycles");
    assert!((6 * 480..8 * 480).contains(&line), "{line} cycles");
}

#[test]
fn other_displays_answer_differently() {
    let mut config = config("lcd");
    config.lcd = LcdKind::Absent;
    let mut board = Machine::new(config).unwrap();
    expect(&mut board, "line in");
    assert!(board.uart().starts_with("id ffff ffff"), "{}", board.uart());
    assert_eq!(board.frame(), None);
}

#[test]
fn eeprom_random_numbers_and_touch() {
    let mut board = board("devices");
    expect(&mut board, "touch true 9147");
    let uart = board.uart().to_owned();
    assert!(uart.contains("eeprom held [ff, ff] true"), "{uart}");
    assert!(uart.contains("eeprom written true busy true"), "{uart}");
    assert!(uart.contains("eeprom holds [00, a5, ff] true"), "{uart}");
    assert!(uart.contains("random ") && !uart.contains("failed"), "{uart}");
    assert_eq!(board.eeprom().cells()[0x20..0x22], [0x00, 0xA5]);
    let write =
        board.events().iter().find(|event| matches!(event.kind, EventKind::EepromWrite { .. })).unwrap();
    assert_eq!(write.kind, EventKind::EepromWrite { address: 0x20, count: 2 });

    board.touch(123, 456);
    board.run_for(ms(100)).unwrap();
    board.release();
    board.run_for(ms(100)).unwrap();
    let reports: Vec<&str> = board.uart().lines().filter(|line| line.starts_with("fingers")).collect();
    let (last, first) = reports.split_last().unwrap();
    assert!(first.len() >= 5 && first.iter().all(|report| *report == "fingers 1 at 123 456"), "{reports:?}");
    assert_eq!(*last, "fingers 0 at 123 456");
    assert_eq!(board.warnings(), Vec::<&str>::new());
}

#[test]
fn a_stuck_bus_an_absent_panel_and_a_failing_generator_are_seen() {
    let mut config = config("devices");
    config.touch = TouchKind::Absent;
    let mut board = Machine::new(config).unwrap();
    board.fail_rng(RngFault::Seed(1));
    expect(&mut board, "touch false");
    assert!(board.uart().contains("random failed"), "{}", board.uart());
}

#[test]
fn the_watchdog_resets_a_hung_program() {
    let mut board = board("faults");
    expect(&mut board, "reset by power");
    // It is fed: nothing happens.
    board.run_for(SECOND).unwrap();
    assert_eq!(board.resets(), 0);
    board.uart_send(b"h");
    let hung = board.now().ns;
    expect(&mut board, "reset by watchdog");
    let reset = board.events().iter().rfind(|event| matches!(event.kind, EventKind::Reset(_))).unwrap();
    assert_eq!(reset.kind, EventKind::Reset(ResetCause::Watchdog));
    let took = (reset.at.ns - hung) / 1_000_000;
    assert!((190..=205).contains(&took), "{took} ms");
    assert_eq!(board.resets(), 1);
}

#[test]
fn resets_show_their_cause() {
    let mut board = board("faults");
    expect(&mut board, "reset by power");
    board.uart_send(b"r");
    expect(&mut board, "reset by software");
    board.reset().unwrap();
    expect(&mut board, "reset by pin");
    board.board_mut().forget();
    let cut = board.now().cycles + 1_000_000;
    board.power_cut_at(cut);
    expect(&mut board, "reset by power");
    assert!(
        board
            .events()
            .iter()
            .any(|event| event.kind == EventKind::PowerCut && event.at.cycles.abs_diff(cut) < 1000)
    );
}

/// ARMv7-M, B3.2.15 and B3.2.16: the bits that each fault sets.
#[test]
fn faults_set_their_status_and_reach_their_handler() {
    for (letter, text) in [
        ("u", "hard fault pc 08"),
        ("u", "cfsr 00010000 hfsr 40000000"),
        ("b", "cfsr 00008200 hfsr 40000000 00000000 30000000"),
        ("w", "cfsr 00008200 hfsr 40000000 00000000 08000000"),
        ("g", "memory management cfsr 00000082 at 10008008"),
        ("f", "cfsr 00080000 hfsr 40000000"),
    ] {
        let mut board = board("faults");
        expect(&mut board, "reset by power");
        board.uart_send(letter.as_bytes());
        expect(&mut board, text);
        assert!(board.events().iter().any(|event| matches!(event.kind, EventKind::Fault(_))));
        expect(&mut board, "reset by watchdog");
    }
}

#[test]
fn a_stack_that_runs_into_its_guard_ends_in_a_reset() {
    let mut board = board("faults");
    expect(&mut board, "reset by power");
    board.uart_send(b"o");
    expect(&mut board, "reset by watchdog");
    let faults: Vec<String> = board
        .events()
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Fault(what) => Some(what.clone()),
            _ => None,
        })
        .collect();
    assert!(faults[0].contains("which the memory protection unit forbids"), "{faults:?}");
}

/// ARMv7-M, B1.5.11 and B3.2.15: registers that cannot be stacked set MSTKERR or STKERR, and the handler
/// is entered all the same.
#[test]
fn a_fault_without_room_for_its_registers_reaches_its_handler_and_tells() {
    for (bottom, stacking) in [(0x1000_0000, 1 << 12), (0x1000_8020, 1 << 4)] {
        let mut board = board("faults");
        expect(&mut board, "reset by power");
        assert!(board.exhaust_stack(bottom, 8).unwrap());
        board.uart_send(b"u");
        let faulted =
            |board: &Machine| board.events().iter().any(|event| matches!(event.kind, EventKind::Fault(_)));
        assert!(board.run_until(ms(100), faulted).unwrap());
        let scs = &board.board().scs;
        // The undefined instruction, what failed with it, and a HardFault because nothing else handles it.
        assert_eq!(scs.cfsr & (1 << 16 | 1 << 12 | 1 << 4), 1 << 16 | stacking, "{:08x}", scs.cfsr);
        assert_eq!(scs.hfsr, 1 << 30);
        assert!(scs.nvic.is_active(3), "HardFault is entered");
        expect(&mut board, "reset by watchdog");
    }
}

/// The words of a frame that lie in memory are written, the others are not.
#[test]
fn an_interrupt_whose_registers_do_not_fit_ends_in_a_fault() {
    let mut board = board("interrupts");
    board.run_for(ms(500)).unwrap();
    assert!(board.exhaust_stack(0x1000_0000, 8).unwrap());
    let held = board.memory(0x1000_0000, 8).unwrap();
    board.run_for(ms(300)).unwrap();
    assert_ne!(board.memory(0x1000_0000, 8), Some(held), "two words were written");
    assert_eq!(board.board().scs.cfsr & (1 << 12 | 1 << 4), 1 << 12);
    assert_eq!(board.resets(), 0);
}

#[test]
fn what_is_not_modelled_is_reported_with_address_and_instruction() {
    for (letter, address, written) in [(b'x', 0x4001_3000, None), (b'c', 0x4000_0000, Some(1))] {
        let mut board = board("faults");
        expect(&mut board, "reset by power");
        board.uart_send(&[letter]);
        let Err(Error::NotModelled(report)) = board.run_for(SECOND) else { panic!("it was accepted") };
        assert_eq!((report.address, report.size, report.written), (address, 4, written));
        assert_eq!(board.place().0, report.pc);
        let function = board.image().function_at(report.pc).unwrap();
        assert!(function.contains("main"), "{function}");
    }
}

#[test]
fn a_lenient_board_goes_on_after_a_report() {
    let mut config = config("faults");
    config.strict = false;
    let mut board = Machine::new(config).unwrap();
    expect(&mut board, "reset by power");
    board.uart_send(b"x");
    board.run_for(ms(500)).unwrap();
    assert_eq!(board.reports().len(), 1);
    assert_eq!(board.warnings().len(), 1);
    assert_eq!(board.resets(), 0);
}

#[test]
fn events_supervisor_calls_and_the_process_stack() {
    let mut board = board("events");
    expect(&mut board, "masked");
    let uart = board.uart();
    // Each tick wakes the core once or twice: the event register is set when its handler returns.
    let waits: u32 = uart.strip_prefix("waits ").and_then(|rest| rest.lines().next()?.parse().ok()).unwrap();
    assert!((50..=101).contains(&waits), "{uart}");
    assert!(uart.contains("calls 5 process stack true\n"), "{uart}");
    assert!(uart.contains("masked 0 after 1\n"), "{uart}");
}
