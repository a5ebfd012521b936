package import RecordKeeping

/// The range on this node's clock that contains a time on another node's clock.
///
/// `earliest` gives the longest age, which decides whether a record is fresh. `latest` gives the shortest age, which
/// decides when a new leader may call.
package struct OwnTimeBounds: Hashable, Sendable {
    /// Nil if nothing is known, so that the record may be of any age.
    package var earliest: BootTime?
    package var latest: BootTime

    package init(earliest: BootTime?, latest: BootTime) {
        (self.earliest, self.latest) = (earliest, latest)
    }
}
