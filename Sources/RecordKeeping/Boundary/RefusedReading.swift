/// The reason for refusing a reload that would remove all entries that come from watch-list files.
package struct RefusedReading: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of listed addresses that would leave the watch list.
    package let listed: Int

    package init(listed: Int) {
        self.listed = listed
    }

    package var description: String {
        let addresses = listed == 1 ? "1 listed address" : "\(listed) listed addresses"
        return
            "no address found in the watch-list files, and \(addresses) would leave the watch list; "
            + "check that the directory is mounted, or use: ipctl reload --force"
    }
}
