// SPDX-License-Identifier: GPL-3.0-only
//! The heap in two parts of memory, and how much of heap and stack is used.

use core::alloc::{GlobalAlloc, Layout};
use core::fmt;
use core::ptr::addr_of;
use core::sync::atomic::{AtomicUsize, Ordering};

use embedded_alloc::LlffHeap;

unsafe extern "C" {
    static __sheap: u8;
    static _sram_end: u8;
    static _ccm_heap_start: u8;
    static _ccm_heap_end: u8;
    static _stack_end: u32;
    static _stack_start: u32;
}

#[global_allocator]
static HEAP: TwoPartHeap = TwoPartHeap { sram: LlffHeap::empty(), ccm: LlffHeap::empty() };

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The SRAM behind the program's variables, and when that is full the CCM beside the stack.
struct TwoPartHeap {
    sram: LlffHeap,
    ccm: LlffHeap,
}

// SAFETY: each part is an allocator; a block goes back to the part whose addresses it lies in.
unsafe impl GlobalAlloc for TwoPartHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises about the layout are passed on.
        let mut block = unsafe { self.sram.alloc(layout) };
        if block.is_null() {
            // SAFETY: as above.
            block = unsafe { self.ccm.alloc(layout) };
        }
        if !block.is_null() {
            let used = USED.load(Ordering::Relaxed) + layout.size();
            USED.store(used, Ordering::Relaxed);
            PEAK.fetch_max(used, Ordering::Relaxed);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        let in_ccm = (addr_of!(_ccm_heap_start)..addr_of!(_ccm_heap_end)).contains(&block.cast_const());
        let part = if in_ccm { &self.ccm } else { &self.sram };
        // SAFETY: the block came from this part.
        unsafe { part.dealloc(block, layout) };
    }
}

/// Hands the free memory to the heap; before anything is allocated.
pub fn start() {
    let size = |from: *const u8, to: *const u8| to as usize - from as usize;
    let (sram, sram_end) = (addr_of!(__sheap), addr_of!(_sram_end));
    let (ccm, ccm_end) = (addr_of!(_ccm_heap_start), addr_of!(_ccm_heap_end));
    // SAFETY: called once, from the start of the program; the linker keeps both areas free.
    unsafe {
        HEAP.sram.init(sram as usize, size(sram, sram_end));
        HEAP.ccm.init(ccm as usize, size(ccm, ccm_end));
    }
}

/// How much memory is used, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Now allocated.
    pub heap: usize,
    /// The most that was ever allocated.
    pub heap_peak: usize,
    /// Still free in both parts.
    pub heap_free: usize,
    /// The deepest the stack ever was.
    pub stack_peak: usize,
    /// The size of the stack.
    pub stack: usize,
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { heap, heap_peak, heap_free, stack_peak, stack } = self;
        write!(
            f,
            "memory: heap {heap}, peak {heap_peak}, free {heap_free}; stack peak {stack_peak} of {stack}"
        )
    }
}

/// How much memory is used.
pub fn usage() -> Usage {
    let (bottom, top) = (addr_of!(_stack_end), addr_of!(_stack_start));
    let words = (top as usize - bottom as usize) / size_of::<u32>();
    // SAFETY: the words lie in the stack; the unused ones still hold the paint of the start.
    let untouched = (0..words)
        .take_while(|&i| unsafe { bottom.add(i).read_volatile() } == cortex_m_rt::STACK_PAINT_VALUE)
        .count();
    Usage {
        heap: USED.load(Ordering::Relaxed),
        heap_peak: PEAK.load(Ordering::Relaxed),
        heap_free: HEAP.sram.free() + HEAP.ccm.free(),
        stack_peak: (words - untouched) * size_of::<u32>(),
        stack: words * size_of::<u32>(),
    }
}
