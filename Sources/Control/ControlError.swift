package import RecordKeeping
package import Varlink

/// The errors of `io.iprecord.Control`, and those of every Varlink service.
package enum ControlError: Error, Hashable, Sendable {
    case invalidAddress(String, reason: String)
    case notWatched(String)
    case invalidName(String, reason: String)
    case nameNotWatched(String)
    case invalidSearch(String)
    case invalidCursor
    case eventsGone(oldest: Int64)
    case tooMany(limit: Int64, resource: String?)
    case reloadFailed(String)
    case storeFailed(String)
    case service(ServiceError)
    /// The full name of an error that this program does not know, because the daemon is newer.
    case unknown(String)

    package init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .permissionDenied: .service(.permissionDenied)
            case .notWatched(let address): .notWatched(address.description)
            case .nameNotWatched(let name): .nameNotWatched(name.description)
            case .endInPast: .service(.invalidParameter("until"))
            case .tooMany(let limit, let resource): .tooMany(limit: Int64(limit), resource: resource.rawValue)
            case .eventsGone(let oldest): .eventsGone(oldest: oldest)
            case .invalidCursor: .invalidCursor
            case .storeFailed(let reason): .storeFailed(reason)
            case .reloadFailed(let reason): .reloadFailed(reason)
            }
    }

    /// The full name of the error, with its interface.
    package var name: String {
        switch self {
        case .invalidAddress: "\(Interface.name).InvalidAddress"
        case .notWatched: "\(Interface.name).NotWatched"
        case .invalidName: "\(Interface.name).InvalidName"
        case .nameNotWatched: "\(Interface.name).NameNotWatched"
        case .invalidSearch: "\(Interface.name).InvalidSearch"
        case .invalidCursor: "\(Interface.name).InvalidCursor"
        case .eventsGone: "\(Interface.name).EventsGone"
        case .tooMany: "\(Interface.name).TooMany"
        case .reloadFailed: "\(Interface.name).ReloadFailed"
        case .storeFailed: "\(Interface.name).StoreFailed"
        case .service(let error): error.name
        case .unknown(let name): name
        }
    }

    package var parameters: Value {
        switch self {
        case .invalidAddress(let address, let reason):
            .object(["address": .string(address), "reason": .string(reason)])
        case .notWatched(let address): .object(["address": .string(address)])
        case .invalidName(let name, let reason): .object(["name": .string(name), "reason": .string(reason)])
        case .nameNotWatched(let name): .object(["name": .string(name)])
        case .invalidSearch(let message), .reloadFailed(let message), .storeFailed(let message):
            .object(["message": .string(message)])
        case .eventsGone(let oldest): .object(["oldest": .int(oldest)])
        case .tooMany(let limit, let resource):
            .object(["limit": .int(limit), "resource": resource.map { .string($0) } ?? .null])
        case .service(let error): error.parameters
        case .invalidCursor, .unknown: .object([:])
        }
    }

    /// Creates the error from a reply. Missing parameters become empty strings or 0.
    package init(name: String, parameters: Value) {
        func text(_ member: String) -> String { parameters[member]?.string ?? "" }
        if let error = ServiceError(name: name, parameters: parameters) {
            self = .service(error)
            return
        }
        self =
            switch name {
            case "\(Interface.name).InvalidAddress": .invalidAddress(text("address"), reason: text("reason"))
            case "\(Interface.name).NotWatched": .notWatched(text("address"))
            case "\(Interface.name).InvalidName": .invalidName(text("name"), reason: text("reason"))
            case "\(Interface.name).NameNotWatched": .nameNotWatched(text("name"))
            case "\(Interface.name).InvalidSearch": .invalidSearch(text("message"))
            case "\(Interface.name).InvalidCursor": .invalidCursor
            case "\(Interface.name).EventsGone": .eventsGone(oldest: parameters["oldest"]?.int ?? 0)
            case "\(Interface.name).TooMany":
                .tooMany(limit: parameters["limit"]?.int ?? 0, resource: parameters["resource"]?.string)
            case "\(Interface.name).ReloadFailed": .reloadFailed(text("message"))
            case "\(Interface.name).StoreFailed": .storeFailed(text("message"))
            default: .unknown(name)
            }
    }
}
