import Control
import RecordKeeping
import Varlink

/// Replies to clients, and events for listeners.
extension ControlServer {
    /// Sends the last reply to a request.
    func answer(_ request: Request.ID, _ response: Response) {
        if case .entries(let views) = response { return answerPortion(request, views, isLast: true) }
        clientChanges.answered(request, response, at: SystemClock.now.boot)
        // A listener gets its pending events before the last reply.
        if peers[request.peer]?.channel.state.isListening == true { publishAll() }
        peers[request.peer]?.answer(
            request.number,
            OutgoingReply.message(response, with: &freshReader.writing, state: state, clients: peers.count))
    }

    /// Sends one of several replies to a request, or a portion of the only reply. The rest follows after `resume`.
    func answerPart(_ request: Request.ID, _ response: Response) {
        if case .entries(let views) = response { return answerPortion(request, views, isLast: false) }
        peers[request.peer]?.answerPart(
            request.number, OutgoingReply.message(response, continues: true, with: &freshReader.writing, state: state))
    }

    /// Sends a portion of the only reply to a request.
    private func answerPortion(_ request: Request.ID, _ views: [EntryView], isLast: Bool) {
        guard let peer = peers[request.peer] else { return }
        let isFirst = !peer.channel.state.hasSentPortion(of: request.number)
        let bytes = OutgoingReply.portion(views, isFirst: isFirst, isLast: isLast, with: &freshReader.writing)
        if isLast { peer.answer(request.number, bytes) } else { peer.answerPortion(request.number, bytes) }
    }

    /// Resumes a request in the engine, in its user's turn, once its client has read enough of the pending replies.
    func resume(_ request: Request.ID) {
        guard let user = peers[request.peer]?.user else { return }
        whenRead(request) { [self, engine] in inTurn(of: user) { engine.handleNow(.resumed(request)) } }
    }

    /// - Parameter goOn: called at once, or when at most `ControlLimits.pageBytes` are unread; never if the client has
    ///   disconnected.
    func whenRead(_ request: Request.ID, _ goOn: @escaping () -> Void) {
        peers[request.peer]?.resume(request.number, goOn)
    }

    /// Sends an event to its listeners in a later turn. A change to thousands of entries publishes as many events, and
    /// other clients are served between turns.
    func publish(_ event: PublishedEvent, _ entry: EntryView?, to recipients: [Request.ID]) {
        pendingEvents.append(event, entry, to: recipients)
        publishLater()
    }

    /// Sends all pending events. Called before a commit or a read of kept events adds more, so that they do not
    /// accumulate, and before a listener's last reply.
    func publishAll() {
        publish(atMost: .max)
    }

    /// Runs the work when no events are pending, which may be at once.
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

    private func publish(atMost maximum: Int) {
        var room = maximum
        while let (message, recipients) = pendingEvents.next(atMost: room) {
            room -= recipients.count
            for request in recipients { peers[request.peer]?.publish(request.number, message) }
        }
        guard pendingEvents.isEmpty, !afterEvents.isEmpty else { return }
        let works = afterEvents
        afterEvents = []
        for work in works { work() }
    }

    /// - Returns: whether the fast path has answered a call since the previous call of this method.
    func resetFreshReader() -> Bool {
        defer { freshReader.wereAsked = false }
        return freshReader.wereAsked
    }
}

extension ServiceInterface {
    /// Returns the reply to a call of `org.varlink.service`, the interface that describes the service itself.
    func reply(to call: IncomingCall) throws(ControlError) -> [UInt8] {
        do throws(ServiceError) {
            return try answer(call)
        } catch {
            throw .service(error)
        }
    }
}
