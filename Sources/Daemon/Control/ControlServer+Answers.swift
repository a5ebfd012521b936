import Control
import RecordKeeping
import Varlink

/// What clients are answered, and what listeners are told.
extension ControlServer {
    func answer(_ request: Request.ID, _ response: Response) {
        // The last answer to a listener comes behind what it was to be told.
        if peers[request.peer]?.isListener == true { tellAll() }
        peers[request.peer]?.answer(
            request.number, OutgoingReply.message(response, with: &glances.writing, status: status))
    }

    /// One answer of several; the client is given time to read it.
    func answerPart(_ request: Request.ID, _ response: Response) {
        peers[request.peer]?.answerPart(
            request.number, OutgoingReply.message(response, continues: true, with: &glances.writing, status: status))
    }

    /// Tells the engine to go on with a request once its client has read what it was sent.
    func resume(_ request: Request.ID) {
        whenRead(request) { [engine] in engine.post(.resumed(request)) }
    }

    /// - Parameter goOn: called at once, or when the client has read enough of what it was sent; never once it has left.
    func whenRead(_ request: Request.ID, _ goOn: @escaping () -> Void) {
        peers[request.peer]?.resume(request.number, goOn)
    }

    /// A change of thousands of entries tells as many events: some at a time, so that who asks meanwhile is not kept waiting.
    ///
    /// - Parameter events: all of them `.tell`.
    func tell(_ events: ArraySlice<Effect>) {
        untold.append(events)
        tellLater()
    }

    /// Everything that listeners are to be told is on its way to them. Called before a commit or a reading of what was kept
    /// brings more, so that it is never much.
    func tellAll() {
        tell(atMost: .max)
    }

    private func tellLater() {
        guard !untold.isScheduled, !untold.isEmpty else { return }
        untold.isScheduled = true
        later { [self] in
            untold.isScheduled = false
            tell(atMost: ControlLimits.eventsPerTurn)
            tellLater()
        }
    }

    private func tell(atMost most: Int) {
        for event in untold.take(most).joined() {
            guard case .tell(let request, let notice, let entry) = event else { continue }
            peers[request.peer]?.tell(request.number, message(telling: notice, entry))
        }
    }

    /// Many listeners are told the same one after the other, and it is put down once.
    private func message(telling notice: Notice, _ entry: EntryView?) -> [UInt8] {
        if let told, told.notice == notice, told.entry == entry { return told.message }
        let message = OutgoingReply.message(telling: notice, entry)
        told = (notice, entry, message)
        return message
    }

    /// See ``Glances/reply(to:at:from:send:)``.
    func glance(
        _ message: UnsafeBufferPointer<UInt8>, at moment: inout Instant?, send: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> Bool {
        glances.reply(to: message, at: &moment, from: engine, send: send)
    }

    /// - Returns: whether something was answered at a glance since this was asked last.
    func forgetGlances() -> Bool {
        defer { glances.wereAsked = false }
        return glances.wereAsked
    }
}

extension ServiceInterface {
    /// The reply to a call of the interface that tells of the service itself.
    func reply(to call: IncomingCall) throws(ControlError) -> [UInt8] {
        do throws(ServiceError) {
            return try answer(call)
        } catch {
            throw .service(error)
        }
    }
}
