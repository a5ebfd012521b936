import Testing

@testable import RecordKeeping

/// Watched host names.
extension KeeperHarness {
    /// Watches a name, and answers its first resolution.
    func watch(_ name: HostName, tags: [String] = [], note: String? = nil, _ addresses: [IPAddress]) {
        ask(.addNames([name], tags: tags, note: note))
        discardEffects()
        resolve(name, addresses)
        discardEffects()
    }

    @discardableResult
    func resolve(_ name: HostName, _ addresses: [IPAddress]) -> [Effect] {
        handle(.nameResolved(name, .addresses(addresses)))
    }

    @discardableResult
    func failToResolve(_ name: HostName, _ reason: String = "no reply") -> [Effect] {
        handle(.nameResolved(name, .failed(reason)))
    }

    /// Returns a watched name, as `names` replies. The reply needs no expectation.
    func view(of name: HostName) -> NameView? {
        let (id, effects) = ask(.names([name]))
        consume { if case .answer(id, _) = $0 { true } else { false } }
        guard case .names(let views)? = effects.answer(to: id) else { return nil }
        return views.first
    }

    /// The watched addresses, in order.
    var watched: [IPAddress] {
        keeper.slots.inUse.map { keeper.slots.peek($0) }.filter(\.isWatched).map(\.address).sorted()
    }

    /// The kept events about names and the watch list, each as its kind, name, address and message.
    var namedEvents: [String] {
        log.commits.flatMap(\.writes).compactMap { write in
            guard case .event(let event) = write else { return nil }
            let parts = [event.name?.description, event.address?.description, event.message].compactMap { $0 }
            return ([event.kind.rawValue] + parts).joined(separator: " ")
        }
    }
}

extension [Effect] {
    /// The names that are to be resolved, in order.
    var resolvedNames: [HostName] {
        compactMap { if case .resolveName(let name) = $0 { name } else { nil } }
    }
}

extension HostName {
    /// A valid name.
    static func example(_ label: String = "www") -> HostName {
        guard let name = try? HostName("\(label).example") else { preconditionFailure("\"\(label)\" is not a label") }
        return name
    }
}
