import JSON
package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// Encodes a response from the core.
    ///
    /// - Parameters:
    ///   - continues: whether more replies to the same call follow.
    ///   - entries: the writer of entries, which caches shared fragments between replies.
    ///   - state: adds what only the daemon knows to the core's state.
    ///   - clients: the number of connected clients.
    package static func message(
        _ response: Response, continues: Bool = false, with entries: inout EntryWriter,
        state: StateReplies, clients: Int = 0
    ) -> [UInt8] {
        switch response {
        case .added(let added, let already, let ends):
            message(Add.Reply(added: added, already: already, ends: ends))
        case .removed(let count, let staying): message(Remove.Reply(removed: count, staying: staying))
        case .namesAdded(let added, let already): message(AddNames.Reply(added: added, already: already))
        case .namesRemoved(let count): message(RemoveNames.Reply(removed: count))
        case .names(let views): message(Names.Reply(names: views.map { Interface.Name($0) }))
        case .nameEvents(let events): message(capacity: capacity(rows: events.count)) { $0.write(events: events) }
        case .entries(let views): portion(views, isFirst: true, isLast: true, with: &entries)
        case .status(let view): message(state.status(view))
        case .metrics(let view): message(state.metrics(view, clients: clients))
        case .page(let page): message(page, continues: continues, with: &entries)
        case .counts(let counts): message(Count.Reply(counts))
        case .labelled(let changed): message(Label.Reply(changed: changed))
        case .refreshing(let scheduled, let fresh): message(Refresh.Reply(scheduled: scheduled, fresh: fresh))
        case .changes(let page): message(capacity: capacity(rows: page.events.count)) { $0.write(changes: page) }
        case .outages(let outages): message(capacity: capacity(rows: outages.count)) { $0.write(outages: outages) }
        case .reloaded(let added, let changed, let removed, let preview):
            message(
                Reload.Reply(
                    added: added, changed: changed, removed: removed, preview: preview.map { Reload.Preview($0) }))
        case .refused(let refusal): error(ControlError(refusal))
        }
    }

    /// Encodes a portion of a reply to `Show`.
    ///
    /// - Parameters:
    ///   - isFirst: whether the portion begins the reply.
    ///   - isLast: whether the portion ends the reply.
    package static func portion(
        _ views: [EntryView], isFirst: Bool, isLast: Bool, with entries: inout EntryWriter
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity(of: views))
        entries.writePortion(views, isFirst: isFirst, isLast: isLast, to: &writer)
        return writer.bytes
    }

    private static func message(_ page: ListPage, continues: Bool, with entries: inout EntryWriter) -> [UInt8] {
        message(continues: continues, capacity: capacity(of: page.entries)) { writer in
            // The cursor comes first, so that a client can request the next page before it reads this one.
            writer.member("next", page.next?.description)
            writer.member("total", Int64(page.total))
            entries.write(page.entries, to: &writer)
        }
    }

    private static func capacity(of entries: [EntryView]) -> Int { 200 + entries.count * EntryWriter.bytesPerEntry }

    private static func capacity(rows: Int) -> Int { 200 + rows * 200 }

    package static func error(_ error: ControlError) -> [UInt8] {
        Self.error(error.name, error.parameters)
    }
}
