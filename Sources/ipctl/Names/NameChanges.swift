import Control
import RecordKeeping
import Varlink

/// The addition and the removal of watched host names by a command.
struct NameChanges {
    private let named: NamedArguments

    init(_ named: NamedArguments) {
        self.named = named
    }

    /// Watches the names, in as many calls as necessary, and prints how many were added.
    func add(
        tags: [String], note: String?, isPreview: Bool, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) {
        if isPreview {
            let watched = try WatchedNames.found(among: named.names, on: connection)
            let new = named.names.filter { watched[$0] == nil }.map(\.description)
            return try preview(adding: new, already: watched.count).print(to: output)
        }
        var (added, already) = (0, 0)
        for part in named.parts {
            let parameters = Control.AddNames.Parameters(
                hostNames: part, tags: tags.isEmpty ? nil : tags, note: note)
            let reply: ClientConversation.IncomingReply
            do throws(CommandError) {
                reply = try connection.call("AddNames", parameters)
            } catch {
                throw error.explainingTagLimit
            }
            if output.isJSON { output.print(reply.parameters) }
            let counts = try reply.decoded(Control.AddNames.Reply.self)
            added = added.clampedAdding(counts.added)
            already = already.clampedAdding(counts.already)
        }
        if !output.isJSON { output.print(Self.sentence(added, "added", already: already)) }
    }

    /// Ends the watch of the names, in as many calls as necessary, and prints how many were removed.
    func remove(isPreview: Bool, on connection: DaemonConnection, _ output: Output) throws(CommandError) {
        if isPreview { return try removalPreview(on: connection).print(to: output) }
        var removed = 0
        for part in named.parts {
            do throws(CommandError) {
                let reply = try connection.call("RemoveNames", Control.RemoveNames.Parameters(hostNames: part))
                if output.isJSON { output.print(reply.parameters) }
                removed = removed.clampedAdding(try reply.decoded(Control.RemoveNames.Reply.self).removed)
            } catch {
                throw error.withoutAddHint
            }
        }
        if !output.isJSON { output.print(Self.sentence(removed, "removed", already: 0)) }
    }

    /// Returns the names, and the addresses that would leave the watch list with them.
    private func removalPreview(on connection: DaemonConnection) throws(CommandError) -> Preview {
        let all = try connection.call("Names", Control.Names.Parameters()).decoded(Control.Names.Reply.self).names
        let watched = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        let names = named.names.map(\.description)
        if let unknown = names.first(where: { watched[$0] == nil }) {
            throw CommandError(.nameNotWatched(unknown), from: connection.path).withoutAddHint
        }
        let removed = Set(names)
        // Addresses that another name has stay.
        var seen = Set(all.filter { !removed.contains($0.name) }.flatMap(\.addresses))
        let addresses = names.flatMap { watched[$0]?.addresses ?? [] }.filter { seen.insert($0).inserted }
        let entries = addresses.isEmpty ? [:] : try WatchedEntries(among: addresses, on: connection).entries
        let leaving = addresses.compactMap { entries[$0] }.filter { $0.origin == WatchOrigin.name.rawValue }
        let others = leaving.isEmpty ? "" : ", with \(Times.count(leaving.count, "address"))"
        return Preview(
            removing: leaving, names: names,
            summary: Self.sentence(names.count, "would be removed", already: 0) + others)
    }

    private func preview(adding names: [String], already: Int) -> Preview {
        Preview(
            lines: names, document: .object(["addresses": .array([]), "names": .array(names.map { .string($0) })]),
            summary: Self.sentence(names.count, "would be added", already: already))
    }

    private static func sentence(_ count: Int, _ verb: String, already: Int) -> String {
        let sentence = "\(Times.count(count, "host name")) \(verb)"
        return already == 0 ? sentence : "\(sentence), \(Times.grouped(already)) already watched"
    }
}
