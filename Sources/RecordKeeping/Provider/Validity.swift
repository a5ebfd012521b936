/// The rule that decides how long a record is current.
enum Validity: Hashable, Sendable {
    /// The provider is remote: a record is current for one interval from its call.
    case interval(nanoseconds: Int64)
    /// The provider is local: a record is current while its version of the databases is in use. With nil, no database
    /// can be read, and no record is current.
    case version(DataVersion?)

    /// The end of the time for which a record is current.
    enum End: Hashable, Sendable {
        /// A time, which may have passed.
        case at(BootTime)
        /// The next change to the local databases.
        case dataChange

        @inline(__always)
        func isAfter(_ now: BootTime) -> Bool {
            switch self {
            case .at(let time): now < time
            case .dataChange: true
            }
        }
    }

    /// Returns the time until which a record is current. A record from the other kind of provider, or from another
    /// version of the databases, ends with its own call, so that it is never current.
    ///
    /// - Parameters:
    ///   - scan: the time of the call, which is not in the future.
    ///   - version: the version of the databases that the record was read from; nil for a remote provider.
    @inline(__always)
    func end(ofRecordFrom scan: BootTime, version: DataVersion.ID?) -> End {
        switch self {
        case .interval(let nanoseconds) where version == nil:
            .at(BootTime(nanoseconds: scan.nanoseconds + nanoseconds))
        case .version(let current?) where version == current.id: .dataChange
        case .interval, .version: .at(scan)
        }
    }
}
