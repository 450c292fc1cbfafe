// SPDX-License-Identifier: GPL-2.0-only
//! The program's own end: a panic, a hard fault, no memory left, a full stack. Each is told on the UART and
//! the LCD with its place, both lamps blink together, the watchdog resets the board, and the game goes on.
//!
//! What brings it about is done to the chip; the image is the one that is shipped.

use wuzi_board::{EventKind, ResetCause};
use wuzi_board_tests::{Player, place};

/// Letters in a line of the LCD.
const COLUMNS: usize = 44;
/// The instruction that is undefined for ever (ARMv7-M, A7.7.194), and where it is put: the heap's end.
const UNDEFINED: [u8; 2] = [0x00, 0xDE];
const NO_CODE: u32 = 0x2001_FFFE;

fn symbol(player: &Player, name: &str) -> u32 {
    player.board.image().symbol(name).unwrap_or_else(|| panic!("no symbol {name} in the image"))
}

/// A game of two people with two stones.
fn in_a_game() -> Player {
    let mut player = Player::at_menu();
    player.begin_pvp();
    player.play("H8");
    player.play("A1");
    player.pass(200);
    player
}

/// Makes the program meet an instruction that does not exist.
fn meet_an_undefined_instruction(player: &mut Player) {
    assert!(player.board.set_memory(NO_CODE, &UNDEFINED));
    player.board.jump(NO_CODE).expect("the core jumps");
}

/// Leaves so many bytes of the stack.
fn fill_stack(player: &mut Player, left: u32) {
    let bottom = symbol(player, "_stack_end");
    assert!(player.board.exhaust_stack(bottom, left).expect("the core goes on"));
}

/// Waits for the message behind byte `log` of the serial text, and gives its lines.
fn message(player: &mut Player, log: usize) -> Vec<String> {
    player.wait_from(log, "FAULT ");
    player.pass(500);
    let text = player.board.uart()[log..].split_once("FAULT ").expect("it was there").1;
    let message = text.split_once("\r\n").expect("it ends").0;
    message.lines().map(String::from).collect()
}

/// The LCD shows these lines.
fn is_shown(player: &Player, message: &[String]) {
    let letters: Vec<Vec<char>> = message.iter().map(|line| line.chars().collect()).collect();
    let lines =
        letters.iter().flat_map(|line| line.chunks(COLUMNS)).map(|line| line.iter().collect::<String>());
    let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    let shown = player.plain_text();
    assert_eq!(shown[0], "Wuzi has stopped and restarts at once.");
    assert_eq!(shown[1..], lines);
}

/// Both lamps blink together five times a second.
fn lamps_blink_together(player: &mut Player) {
    let events = player.board.events().len();
    player.pass(1000);
    let [black, white] = [0, 1].map(|lamp| player.lamp_since(lamp, events));
    assert_eq!(black, white, "together");
    assert!((9..=11).contains(&black.len()), "{black:?}");
    assert!(black.windows(2).all(|pair| (99..=101).contains(&(pair[1].0 - pair[0].0))), "{black:?}");
}

/// The watchdog resets the board; then the game goes on without a touch.
fn goes_on(player: &mut Player, log: usize) {
    let events = player.board.events().len();
    player.wait_from(log, "menu after");
    let resets = player.board.events()[events..].iter().filter_map(|event| match event.kind {
        EventKind::Reset(cause) => Some(cause),
        _ => None,
    });
    assert_eq!(resets.collect::<Vec<_>>(), [ResetCause::Watchdog]);
    for text in ["reset: watchdog", "the game goes on where it was"] {
        assert!(player.board.uart()[log..].contains(text), "{}", player.board.uart());
    }
    player.pass(200);
}

/// All that is promised of a fault in a game of two stones; gives the message.
fn ends_well(player: &mut Player, log: usize) -> Vec<String> {
    let message = message(player, log);
    println!("{}", message.join("\n"));
    is_shown(player, &message);
    lamps_blink_together(player);
    goes_on(player, log);
    let log = player.log_length();
    player.play("O15");
    player.wait_for_move(log, 3);
    message
}

/// The functions of the calls that the message tells, the innermost first.
fn calls(player: &Player, message: &[String]) -> Vec<String> {
    let line = message.iter().find_map(|line| line.strip_prefix("calls")).expect("the calls are told");
    let function = |address: &str| {
        let address = u32::from_str_radix(address, 16).unwrap_or_else(|error| panic!("{address}: {error}"));
        let function = player.board.image().function_at(address);
        function.unwrap_or_else(|| panic!("{address:08X} is in no function")).to_owned()
    };
    line.split_whitespace().map(function).collect()
}

#[test]
fn a_panic_tells_the_line_in_the_source() {
    let mut player = in_a_game();
    let log = player.log_length();
    // The program begins once more, and finds its peripherals taken.
    let main = symbol(&player, "main");
    player.board.jump(main).expect("the core jumps");
    let message = ends_well(&mut player, log);
    assert_eq!(message[1], "the peripherals are taken once");
    let (file, line) =
        message[0].strip_prefix("panic at ").and_then(|at| at.split_once(':')).expect("a place");
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let source =
        std::fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let line = source.lines().nth(line.parse::<usize>().expect("a number") - 1).expect("a line");
    assert!(line.contains("panic!"), "{line}");
    let calls = calls(&player, &message);
    assert!(calls.iter().any(|name| name.contains("wuzi_firmware5start5start")), "{calls:?}");
}

#[test]
fn a_hard_fault_tells_the_instruction() {
    let mut player = in_a_game();
    let log = player.log_length();
    meet_an_undefined_instruction(&mut player);
    let message = ends_well(&mut player, log);
    assert_eq!(message[0], format!("hard fault at {NO_CODE:08X}"));
    assert!(message.iter().any(|line| line.starts_with("CFSR 00010000 HFSR 40000000")), "{message:?}");
}

#[test]
fn nonsense_in_the_heap_ends_well_and_the_place_is_the_one_where_it_failed() {
    let mut player = in_a_game();
    let (begin, end) = (symbol(&player, "__sheap"), symbol(&player, "_sram_end"));
    let (events, log) = (player.board.events().len(), player.log_length());
    assert!(player.board.set_memory(begin, &vec![0xF5; (end - begin) as usize]));
    let message = ends_well(&mut player, log);
    let place = message[0].strip_prefix("hard fault at ").expect("addresses where nothing is");
    let fault = player.board.events()[events..].iter().find_map(|event| match &event.kind {
        EventKind::Fault(what) => Some(what.as_str()),
        _ => None,
    });
    let fault = fault.expect("the emulator saw it").to_uppercase();
    assert!(fault.contains(&format!("PC 0X{place}")), "{fault}");
}

#[test]
fn out_of_memory_tells_how_much_was_asked_for_and_where() {
    let mut player = in_a_game();
    // The allocator's own record: both lists of free blocks are empty from now on.
    let heap = player.board.image().find("6memory4HEAP").expect("the allocator");
    let parts = [("__sheap", "_sram_end"), ("_ccm_heap_start", "_ccm_heap_end")];
    let parts = parts.map(|(begin, end)| symbol(&player, begin)..=symbol(&player, end));
    let mut emptied = 0;
    for at in (heap..heap + 56).step_by(4) {
        let word =
            player.board.memory(at, 4).and_then(|bytes| Some(u32::from_le_bytes(*bytes.first_chunk()?)));
        if parts.iter().any(|part| word.is_some_and(|word| part.contains(&word))) {
            assert!(player.board.set_memory(at, &[0; 4]));
            emptied += 1;
        }
    }
    // The first free block, the lower and the upper end of either part.
    assert_eq!(emptied, 6);
    let log = player.log_length();
    let (x, y) = place::PAUSE;
    player.board.touch(x, y);
    player.pass(80);
    player.board.release();
    let message = ends_well(&mut player, log);
    assert!(message[0].starts_with("panic at "), "{message:?}");
    let bytes =
        message[1].strip_prefix("memory allocation of ").and_then(|rest| rest.strip_suffix(" bytes failed"));
    assert!(bytes.is_some_and(|bytes| bytes.parse::<u32>().is_ok_and(|bytes| bytes > 0)), "{message:?}");
    // Not only the library's functions.
    let calls = calls(&player, &message);
    assert!(calls.iter().any(|name| name.contains("slint") || name.contains("wuzi")), "{calls:?}");
}

#[test]
fn a_full_stack_is_told_with_the_calls_that_filled_it() {
    // Too little for the registers of an interrupt; for its handler; for a dialog.
    for left in [16, 64, 128, 256, 1024] {
        let mut player = in_a_game();
        let log = player.log_length();
        fill_stack(&mut player, left);
        let (x, y) = place::PAUSE;
        player.board.touch(x, y);
        let message = message(&mut player, log);
        println!("{left} bytes left: {}", message.join("\n"));
        assert!(message[0].starts_with("stack overflow"), "{left} bytes left: {message:?}");
        is_shown(&player, &message);
        lamps_blink_together(&mut player);
        let calls = calls(&player, &message);
        assert!(calls.iter().any(|name| name.contains("wuzi") || name.contains("slint")), "{calls:?}");
        if left == 256 {
            player.board.release();
            goes_on(&mut player, log);
            let log = player.log_length();
            player.play("O15");
            player.wait_for_move(log, 3);
        }
    }
}

#[test]
fn a_stack_that_a_search_fills_is_told_and_the_computer_thinks_anew() {
    let mut player = Player::at_menu();
    player.begin_pve(3);
    let log = player.log_length();
    player.play("H8");
    player.wait_for_move(log, 1);
    assert_eq!(player.moves_since(log).len(), 1, "Expert thinks");
    fill_stack(&mut player, 200);
    let message = message(&mut player, log);
    println!("{}", message.join("\n"));
    assert!(message[0].starts_with("stack overflow"), "{message:?}");
    let calls = calls(&player, &message);
    assert!(calls.iter().any(|name| name.contains("wuzi_engine")), "{calls:?}");
    is_shown(&player, &message);
    lamps_blink_together(&mut player);
    goes_on(&mut player, log);
    player.wait_for_move(log, 2);
}

#[test]
fn the_lamps_blink_wherever_in_their_own_interrupt_the_fault_is() {
    // Blocks of instructions in the handler, seen once.
    let mut player = Player::at_menu();
    player.run_to_tick();
    let mut blocks = 0;
    while player.in_tick() {
        player.board.run_cycles(1).expect("the board runs");
        blocks += 1;
    }
    assert!(blocks > 4, "{blocks} blocks");
    for block in (0..blocks).step_by(4) {
        let mut player = Player::at_menu();
        player.run_to_tick();
        for _ in 0..block {
            player.board.run_cycles(1).expect("the board runs");
        }
        let log = player.log_length();
        meet_an_undefined_instruction(&mut player);
        let message = message(&mut player, log);
        is_shown(&player, &message);
        lamps_blink_together(&mut player);
    }
}

#[test]
fn a_fault_before_the_lcd_runs_is_told_on_the_uart_and_by_the_lamps() {
    let mut player = Player::switched_on(|_| {});
    player.pass(20);
    assert!(!player.board.uart().contains("LCD"), "{}", player.board.uart());
    meet_an_undefined_instruction(&mut player);
    let message = message(&mut player, 0);
    assert_eq!(message[0], format!("hard fault at {NO_CODE:08X}"));
    lamps_blink_together(&mut player);
    player.wait_for("menu after");
    assert!(player.board.uart().contains("reset: watchdog"), "{}", player.board.uart());
    player.pass(100);
    assert!(player.board.visible());
}
