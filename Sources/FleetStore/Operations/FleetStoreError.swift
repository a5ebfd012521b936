package import Fleet
import PostgreSQL

/// The reason why an operation on the database has failed.
package enum FleetStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A failure that the fleet protocol distinguishes.
    case query(FleetFailure)

    // MARK: Nothing was changed

    /// The database has no schema of this program.
    case schemaMissing
    /// A newer program has migrated the schema to a version that this one cannot use.
    case schemaNewer(found: Int, known: Int)
    /// The schema is of an older version, which this program cannot use.
    case schemaOlder(found: Int, needed: Int)
    /// The database has no fleet of this name.
    case unknownFleet(name: String)

    /// The failure as the fleet protocol distinguishes it.
    package var failure: FleetFailure {
        switch self {
        case .query(let failure): failure
        case .schemaMissing, .schemaNewer, .schemaOlder, .unknownFleet: .refused(reason: description)
        }
    }

    /// The failure and, where a person has to act, what to do.
    package var description: String {
        switch self {
        case .query(let failure): "\(failure)"
        case .schemaMissing: "the database has no schema \"iprecord\"; create it with iprecordd --fleet-init"
        case .schemaNewer(let found, let known):
            """
            the schema of the database has version \(found), and this program knows versions up to \(known); upgrade \
            iprecord on this host
            """
        case .schemaOlder(let found, let needed):
            """
            the schema of the database has version \(found), and this program needs version \(needed); migrate it with \
            iprecordd --fleet-init
            """
        case .unknownFleet(let name):
            "the database has no fleet \"\(name)\"; create it with iprecordd --fleet-init"
        }
    }
}

extension FleetStoreError {
    init(_ error: PostgreSQLError) {
        if case .server(let message) = error {
            if message.state == .undefinedSchema {
                self = .schemaMissing
                return
            }
            if FleetSQLState(message.state) == .schemaNewer, let found = message.detail.flatMap({ Int($0) }) {
                self = .schemaNewer(found: found, known: FleetSchema.newest)
                return
            }
        }
        self = .query(FleetFailure(error))
    }

    /// The statements succeeded, but a reply does not have the expected form.
    static func unexpectedReply(reason: String) -> FleetStoreError {
        .query(.outcomeUnknown(reason: "unexpected reply of the database: \(reason)"))
    }
}
