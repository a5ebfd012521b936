/// A read-only call that has been sent, or that could not be sent.
struct PendingCall {
    /// The bytes of the call.
    let message: ArraySlice<UInt8>
    let sendError: CommandError?
}
