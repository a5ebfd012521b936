/// The source of an address on the watch list, as the control interface names it. Of several sources, it is the first
/// of these.
package enum WatchOrigin: String, CaseIterable, Hashable, Sendable {
    case client, file, name

    /// An address without a source, which only a database that was edited can contain, counts as added by a client.
    init(byClient: Bool, byFile: Bool, byName: Bool) {
        self = byClient ? .client : byFile ? .file : byName ? .name : .client
    }
}
