import Control
import Varlink

/// Events as rows. Each changed field of an event is a row of its own.
enum EventRows {
    static let names = ["at", "kind", "address", "field", "old", "new", "message", "user", "seq", "name"]

    /// - Parameter fields: the changed fields that have a row; empty for all.
    static func rows(of event: Interface.Event, fields: [String]) -> [(String) -> Value?] {
        let changes = (event.fields ?? []).filter { fields.isEmpty || fields.contains($0.field) }
        guard !changes.isEmpty else { return [{ value($0, of: event) }] }
        return changes.map { change in { value($0, of: change) ?? value($0, of: event) } }
    }

    static func value(_ name: String, of change: Interface.FieldChange) -> Value? {
        switch name {
        case "field": .string(change.field)
        case "old": change.old.map { .string($0) }
        case "new": change.new.map { .string($0) }
        default: nil
        }
    }

    private static func value(_ name: String, of event: Interface.Event) -> Value? {
        switch name {
        case "at": .int(event.at)
        case "kind": .string(event.kind)
        case "address": event.address.map { .string($0) }
        case "name": event.name.map { .string($0) }
        case "message": event.message.map { .string($0) }
        case "user": event.user.map { .int(Int64($0)) }
        case "seq": event.seq.map { .int($0) }
        default: nil
        }
    }
}
