import Control
import RecordKeeping
import Varlink

/// The watched host names, as the daemon reports them.
enum WatchedNames {
    /// Returns those of these names that are watched.
    ///
    /// - Returns: nothing if the daemon is of an older version, which watches no names.
    static func found(
        among names: some Sequence<HostName>, on connection: DaemonConnection
    ) throws(CommandError) -> [HostName: Interface.Name] {
        var found: [HostName: Interface.Name] = [:]
        for name in names {
            let parameters = Control.Names.Parameters(hostNames: [name.description])
            let reply = try connection.reply(to: "Names", parameters)
            switch reply.error.map({ ControlError(name: $0, parameters: reply.parameters) }) {
            case nil: found[name] = try reply.decoded(Control.Names.Reply.self).names.first
            case .nameNotWatched: continue
            case .service(.methodNotFound): return [:]
            case .some(let error): throw CommandError(error, from: connection.path)
            }
        }
        return found
    }

    /// Returns the addresses of a name.
    ///
    /// - Throws: an error if one of them is not an IP address.
    static func addresses(of name: Interface.Name) throws(CommandError) -> [IPAddress] {
        try name.addresses.map { text throws(CommandError) in
            do {
                return try IPAddress(text)
            } catch {
                throw .unreadableReply
            }
        }
    }

    /// Returns why the addresses of a name may not be those that it has now; nil if they are up to date.
    static func problem(_ name: Interface.Name, now: Int64) -> String? {
        switch name.state {
        case NameState.fresh.rawValue: return nil
        case NameState.loading.rawValue: return "not resolved yet"
        default:
            guard let reason = name.reason else {
                return name.answeredAt.map { "last resolved \(Times.ago($0, from: now))" } ?? "not resolved yet"
            }
            let since = name.failedSince.map { " since \(Times.clock($0, from: now))" } ?? ""
            return "cannot be resolved\(since): \(reason)"
        }
    }
}
