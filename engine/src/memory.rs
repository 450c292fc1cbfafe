// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large blocks of memory, as many as there is room for.
#![allow(unsafe_code, reason = "memory that the system gives zeroed is not touched before it is used")]

use alloc::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use alloc::boxed::Box;
use core::sync::atomic::AtomicU32;

/// A type of which all bits zero are a value.
///
/// # Safety
/// They must be, and the type must have a size.
pub(crate) unsafe trait Zeroed {}

// SAFETY: numbers and arrays of them.
unsafe impl Zeroed for u32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: an array of values of the type, one at least.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}

/// So many zeroed values, at least one; where the system has no room for them, half as many, and so on.
pub(crate) fn zeroed<T: Zeroed>(count: usize) -> Box<[T]> {
    let mut count = count.max(1);
    loop {
        if let Ok(layout) = Layout::array::<T>(count) {
            // SAFETY: neither the type nor the array is without size.
            let memory = unsafe { alloc_zeroed(layout) };
            if !memory.is_null() {
                let values = core::ptr::slice_from_raw_parts_mut(memory.cast::<T>(), count);
                // SAFETY: the memory was allocated for this array, whose bits zero are values.
                return unsafe { Box::from_raw(values) };
            }
            if count == 1 {
                handle_alloc_error(layout);
            }
        }
        count /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_and_never_none_at_all() {
        assert_eq!(*zeroed::<u32>(3), [0; 3]);
        assert_eq!(zeroed::<[AtomicU32; 2]>(0).len(), 1);
    }

    #[test]
    fn what_no_machine_has_is_halved_until_there_is_room() {
        // Not even an address space is as large. An optimizer that sees no use of it may pretend it is.
        let values = core::hint::black_box(zeroed::<u32>(usize::MAX / 4));
        assert!(values.len() < usize::MAX / 8 && !values.is_empty());
    }
}
