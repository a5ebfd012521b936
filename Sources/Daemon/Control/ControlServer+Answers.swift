import Control
import RecordKeeping
import Varlink

/// What clients are answered, and what listeners are told.
extension ControlServer {
    func answer(_ request: Request.ID, _ response: Response) {
        if case .entries(let views) = response { return answerPortion(request, views, isLast: true) }
        // The last answer to a listener comes behind what it was to be told.
        if peers[request.peer]?.isListener == true { publishAll() }
        peers[request.peer]?.answer(
            request.number, OutgoingReply.message(response, with: &glances.writing, status: status))
    }

    /// One answer of several; the client is given time to read it.
    func answerPart(_ request: Request.ID, _ response: Response) {
        if case .entries(let views) = response { return answerPortion(request, views, isLast: false) }
        peers[request.peer]?.answerPart(
            request.number, OutgoingReply.message(response, continues: true, with: &glances.writing, status: status))
    }

    /// Sends a portion of the one reply to a request.
    private func answerPortion(_ request: Request.ID, _ views: [EntryView], isLast: Bool) {
        guard let peer = peers[request.peer] else { return }
        let isFirst = !peer.hasSentPortion
        let bytes = OutgoingReply.portion(views, isFirst: isFirst, isLast: isLast, with: &glances.writing)
        if isLast { peer.answer(request.number, bytes) } else { peer.answerPortion(request.number, bytes) }
    }

    /// Tells the engine to go on with a request once its client has read what it was sent.
    func resume(_ request: Request.ID) {
        guard let user = peers[request.peer]?.user else { return }
        whenRead(request) { [self, engine] in inTurn(of: user) { engine.handleNow(.resumed(request)) } }
    }

    /// - Parameter goOn: called at once, or when the client has read enough of what it was sent; never once it has left.
    func whenRead(_ request: Request.ID, _ goOn: @escaping () -> Void) {
        peers[request.peer]?.resume(request.number, goOn)
    }

    /// Sends an event to its listeners in a later turn. A change of thousands of entries publishes as many events, and
    /// other clients are served between batches of them.
    func publish(_ notice: Notice, _ entry: EntryView?, to recipients: [Request.ID]) {
        pendingEvents.append(notice, entry, to: recipients)
        publishLater()
    }

    /// Sends all pending events. Called before a commit or a reading of kept events adds a few more, so that pending
    /// events do not pile up.
    func publishAll() {
        publish(atMost: .max)
    }

    /// Runs the work once no events are pending, which may be at once.
    func whenPublished(_ work: @escaping () -> Void) {
        guard !pendingEvents.isEmpty else { return work() }
        afterEvents.append(work)
    }

    private func publishLater() {
        guard !pendingEvents.isScheduled, !pendingEvents.isEmpty else { return }
        pendingEvents.isScheduled = true
        later { [self] in
            pendingEvents.isScheduled = false
            publish(atMost: ControlLimits.eventsPerTurn)
            publishLater()
        }
    }

    private func publish(atMost most: Int) {
        var room = most
        while let (message, recipients) = pendingEvents.next(atMost: room) {
            room -= recipients.count
            for request in recipients { peers[request.peer]?.tell(request.number, message) }
        }
        guard pendingEvents.isEmpty, !afterEvents.isEmpty else { return }
        let works = afterEvents
        afterEvents = []
        for work in works { work() }
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
