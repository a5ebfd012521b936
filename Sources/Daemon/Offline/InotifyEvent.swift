import Glibc

/// An event of inotify(7).
struct InotifyEvent: Hashable {
    /// The watch descriptor; -1 if the kernel has dropped events.
    let watch: Int32
    let mask: UInt32
    /// The name in the watched directory; nil if the event concerns the directory itself.
    let name: String?

    /// Returns the events that read(2) has returned.
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        var (events, rest): ([InotifyEvent], ArraySlice<UInt8>) = ([], bytes)
        let headBytes = MemoryLayout<inotify_event>.size
        while rest.count >= headBytes {
            let head = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let nameBytes = min(Int(head.len), rest.count - headBytes)
            // The name is followed by one or more NUL bytes.
            let name = rest.dropFirst(headBytes).prefix(nameBytes).prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: head.wd, mask: head.mask,
                    name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(headBytes + nameBytes)
        }
        return events
    }
}
