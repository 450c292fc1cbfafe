// SPDX-License-Identifier: GPL-3.0-only
//! Players on the network: DNS-SD over multicast, on every interface, IPv4 and IPv6.

use std::collections::BTreeMap;
use std::thread;

use mdns_sd::{ResolvedService, ScopedIp, ServiceDaemon, ServiceEvent, ServiceInfo};

use crate::message::{Offer, RuleName, Wish};
use crate::name;
use crate::peer::Found;

/// The kind of service.
pub const SERVICE: &str = "_wuzi._tcp.local.";
/// Players that are shown at most.
const MOST: usize = 64;
/// Addresses of a player that are tried at most.
const MOST_ADDRESSES: usize = 6;

/// Looks for other players, and shows this one.
pub struct Discovery {
    daemon: ServiceDaemon,
    /// The full name under which this player is shown.
    shown: Option<String>,
}

impl std::fmt::Debug for Discovery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Discovery").field("shown", &self.shown).finish_non_exhaustive()
    }
}

impl Discovery {
    /// Begins to look; `tell` is called on a thread of its own, with everybody who is there, until
    /// it returns false.
    ///
    /// # Errors
    /// If the system does not permit multicast.
    pub fn start(tell: impl Fn(Vec<Found>) -> bool + Send + 'static) -> mdns_sd::Result<Self> {
        let daemon = ServiceDaemon::new()?;
        // An interface that comes or changes its address is soon used.
        daemon.set_ip_check_interval(2)?;
        let events = daemon.browse(SERVICE)?;
        let watch = move || {
            let mut players = Players::default();
            for event in events {
                match event {
                    ServiceEvent::ServiceResolved(service) => {
                        let Some(found) = found(&service) else { continue };
                        players.add(service.fullname, found);
                    }
                    ServiceEvent::ServiceRemoved(_, fullname) => players.remove(&fullname),
                    _ => continue,
                }
                if !tell(players.list()) {
                    return;
                }
            }
        };
        let watcher = thread::Builder::new().name("discovery".into()).spawn(watch);
        watcher.map_err(|error| mdns_sd::Error::Msg(error.to_string()))?;
        Ok(Self { daemon, shown: None })
    }

    /// Shows this player as one who can be called at the port, or no longer.
    pub fn show(&mut self, player: Option<&Found>, port: u16) {
        let result = match player {
            Some(player) => self.register(player, port),
            None => self.unregister(),
        };
        if let Err(error) = result {
            log::warn!("this player cannot be shown to others: {error}");
        }
    }

    fn register(&mut self, player: &Found, port: u16) -> mdns_sd::Result<()> {
        let host = format!("wuzi-{}.local.", player.id);
        let info = ServiceInfo::new(SERVICE, &player.id, &host, "", port, &properties(player)[..])?;
        let info = info.enable_addr_auto();
        self.shown = Some(info.get_fullname().to_owned());
        self.daemon.register(info)
    }

    fn unregister(&mut self) -> mdns_sd::Result<()> {
        if let Some(fullname) = self.shown.take() {
            self.daemon.unregister(&fullname)?;
        }
        Ok(())
    }
}

/// Who is there, by full name.
#[derive(Default)]
struct Players {
    /// With the number of the announcement.
    players: BTreeMap<String, (u64, Found)>,
    announcements: u64,
}

impl Players {
    /// Who was announced longest ago makes room: an old name must not keep a new one out for good.
    fn add(&mut self, fullname: String, found: Found) {
        self.announcements += 1;
        self.players.insert(fullname, (self.announcements, found));
        if self.players.len() > MOST
            && let Some((oldest, _)) = self.players.iter().min_by_key(|(_, (number, _))| *number)
        {
            let oldest = oldest.clone();
            self.players.remove(&oldest);
        }
    }

    fn remove(&mut self, fullname: &str) {
        self.players.remove(fullname);
    }

    fn list(&self) -> Vec<Found> {
        self.players.values().map(|(_, found)| found.clone()).collect()
    }
}

impl Drop for Discovery {
    fn drop(&mut self) {
        // The daemon may have ended by itself.
        let _ = self.unregister();
        let _ = self.daemon.shutdown();
    }
}

const RULES: [(RuleName, &str); 3] =
    [(RuleName::Freestyle, "freestyle"), (RuleName::Standard, "standard"), (RuleName::Renju, "renju")];
const WISHES: [(Wish, &str); 3] = [(Wish::Black, "black"), (Wish::White, "white"), (Wish::Either, "either")];

/// What the TXT record says.
fn properties(player: &Found) -> Vec<(&'static str, String)> {
    let mut properties = vec![
        ("v", player.protocol.to_string()),
        ("id", player.id.clone()),
        ("name", player.name.clone()),
        ("program", player.program.clone()),
    ];
    if let Some(offer) = player.offer {
        let name = |names: &[(Wish, &str)]| {
            names.iter().find(|(wish, _)| *wish == offer.wish).map_or("", |(_, name)| name).to_owned()
        };
        let rule = RULES.iter().find(|(rule, _)| *rule == offer.rule).map_or("", |(_, name)| name);
        properties.push(("colour", name(&WISHES)));
        properties.push(("rule", rule.to_owned()));
        properties.push(("size", offer.lines.to_string()));
        properties.push(("seconds", offer.seconds.unwrap_or(0).to_string()));
    }
    properties
}

fn found(service: &ResolvedService) -> Option<Found> {
    let mut addresses: Vec<&ScopedIp> = service.addresses.iter().collect();
    // IPv4 first, then global IPv6; an order that does not change.
    addresses
        .sort_by_key(|address| (!address.is_ipv4(), address.to_string().contains('%'), address.to_string()));
    let addresses = addresses.into_iter().take(MOST_ADDRESSES).map(|address| {
        if address.is_ipv4() {
            format!("{address}:{}", service.port)
        } else {
            format!("[{address}]:{}", service.port)
        }
    });
    let get = |key: &str| service.get_property_val(key).flatten().and_then(|v| std::str::from_utf8(v).ok());
    player(get, addresses.collect())
}

fn player<'a>(get: impl Fn(&str) -> Option<&'a str>, addresses: Vec<String>) -> Option<Found> {
    let id = get("id")?;
    if id.len() != 16 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    Some(Found {
        id: id.into(),
        name: name::clean(get("name")?),
        program: name::clean(get("program").unwrap_or_default()),
        protocol: get("v")?.parse().ok()?,
        offer: offer(&get),
        addresses,
    })
}

fn offer<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Option<Offer> {
    let (wish, rule) = (get("colour")?, get("rule")?);
    let offer = Offer {
        wish: WISHES.iter().find(|(_, name)| *name == wish)?.0,
        rule: RULES.iter().find(|(_, name)| *name == rule)?.0,
        lines: get("size")?.parse().ok()?,
        seconds: Some(get("seconds")?.parse().ok()?).filter(|&seconds| seconds > 0),
    };
    offer.is_valid().then_some(offer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_names_does_not_keep_a_new_player_out() {
        let found = |id: usize| Found {
            id: format!("{id:016x}"),
            name: String::new(),
            program: String::new(),
            protocol: 1,
            offer: None,
            addresses: Vec::new(),
        };
        let mut players = Players::default();
        for id in 0..3 * MOST {
            players.add(id.to_string(), found(id));
            assert!(players.list().len() <= MOST && players.list().contains(&found(id)));
        }
        players.remove(&(3 * MOST - 1).to_string());
        assert!(!players.list().contains(&found(3 * MOST - 1)));
    }

    #[test]
    fn a_player_is_shown_as_he_is() {
        let shown = Found {
            id: "0123456789abcdef".into(),
            name: "祖父".into(),
            program: "Wuzi 0.1.0".into(),
            protocol: 1,
            offer: Some(Offer { wish: Wish::White, rule: RuleName::Renju, lines: 19, seconds: Some(30) }),
            addresses: vec!["10.0.0.1:5858".into()],
        };
        let properties = properties(&shown);
        assert!(properties.iter().all(|(key, value)| key.len() + value.len() < 255));
        let get = |key: &str| properties.iter().find(|(k, _)| *k == key).map(|(_, value)| value.as_str());
        assert_eq!(player(get, shown.addresses.clone()), Some(shown.clone()));
        let hostile = |key: &str| match key {
            "name" => Some("a\u{202E}b\u{7}"),
            "size" => Some("255"),
            other => get(other),
        };
        let found = player(hostile, Vec::new()).unwrap();
        assert_eq!((found.name.as_str(), found.offer), ("ab", None));
        assert_eq!(
            player(|key| if key == "id" { Some("../../etc/passwd") } else { get(key) }, Vec::new()),
            None
        );
    }
}
