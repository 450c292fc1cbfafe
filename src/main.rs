// SPDX-License-Identifier: GPL-3.0-only
//! The desktop program.
slint::include_modules!();
fn main() -> Result<(), slint::PlatformError> {
    AppWindow::new()?.run()
}
