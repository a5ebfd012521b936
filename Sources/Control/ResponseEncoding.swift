package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// The reply that tells a response.
    ///
    /// - Parameter status: adds to a status what is not the core's to know.
    package static func message(_ response: Response, status: (StatusView) -> Status.Reply) -> [UInt8] {
        switch response {
        case .added(let added, let already): message(Add.Reply(added: added, already: already))
        case .removed(let count): message(Remove.Reply(removed: count))
        case .entries(let views): message(Show.Reply(entries: views.map { Interface.Entry($0) }))
        case .status(let view): message(status(view))
        case .refused(let refusal): error(ControlError(refusal))
        }
    }

    package static func error(_ error: ControlError) -> [UInt8] {
        Self.error(error.name, error.parameters)
    }
}
