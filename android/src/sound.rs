// SPDX-License-Identifier: GPL-3.0-only
//! What is heard of a stone is felt, too.

use android_activity::AndroidApp;
use wuzi_app::services::Sound;
use wuzi_app::system::Loudspeaker;

use crate::haptics;

/// The loudspeaker, and the tick of the phone under the finger.
pub(crate) struct Felt {
    loudspeaker: Loudspeaker,
    android: AndroidApp,
}

impl Felt {
    pub(crate) const fn new(loudspeaker: Loudspeaker, android: AndroidApp) -> Self {
        Self { loudspeaker, android }
    }
}

impl Sound for Felt {
    fn stone(&mut self) {
        self.loudspeaker.stone();
        haptics::tick(&self.android);
    }

    fn five(&mut self) {
        self.loudspeaker.five();
        haptics::tick(&self.android);
    }

    fn set_music(&mut self, on: bool) {
        self.loudspeaker.set_music(on);
    }

    fn has_music(&self) -> bool {
        self.loudspeaker.has_music()
    }
}
