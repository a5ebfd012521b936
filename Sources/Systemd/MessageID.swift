/// The MESSAGE_ID of each kind of alert. It identifies the alert's text in the journal's catalogue, and is used in
/// filters:
///
///     journalctl MESSAGE_ID=202cf51425224997b73e90a673c468a0
///
/// The raw value is the name of the kind. The ids are random, and must never change (sd_journal_print(3),
/// systemd.journal-fields(7)).
package enum MessageID: String, CaseIterable, Hashable, Sendable {
    case networkLost, networkRestored
    case providerFailed, providerRecovered
    case throttled
    case failed, recovered
    case changed
    /// Alerts about the store, which are not events for clients, because an event would have to be stored.
    case storeFailed, storeRecovered

    /// The id as 32 hexadecimal digits in lower case.
    package var text: String {
        switch self {
        case .networkLost: "202cf51425224997b73e90a673c468a0"
        case .networkRestored: "519d61e53cbb4b2ab86fc4dc90b79c4a"
        case .providerFailed: "5dbc16664108482dba64feb2da108d34"
        case .providerRecovered: "83e3226787044345b195ad2c675ba8e5"
        case .throttled: "2b2eb4abfef34e40b3e1eb524f244e70"
        case .failed: "b40bbcc5b0b748459ad31ac96a3fbbe8"
        case .recovered: "81c0c31993454ffdbc52f4c92a6bc01f"
        case .changed: "331131a7b69f48079ee4be2165138c60"
        case .storeFailed: "d39c7eaf59ca49febd7f96092f76646a"
        case .storeRecovered: "80a03af5b6ee4c68bf057bae1b3ac0cc"
        }
    }
}
