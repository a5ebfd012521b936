/// Something that is to be made durable, waiting for its turn.
enum Work: Sendable {
    /// A client wants a change; it is answered once that is on disk.
    case request(Request)
    /// A reply has come.
    case reply([IPAddress], Reply)
    /// The address's own fault, where a call of it alone failed.
    case addressFailed(IPAddress, CallFailure)
    /// A looked-up record has ended its life.
    case forget(IPAddress)
    /// Something to tell about the way or the provider, which the world must not miss.
    ///
    /// - Parameter announced: the journal has been told already, since the disk could not keep it.
    case tell(Notice.Kind, at: WallTime, message: String, announced: Bool)
    /// What is kept of the way, the provider or the quota has changed.
    case saveHealth
}
