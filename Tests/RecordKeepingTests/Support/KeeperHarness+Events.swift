import Testing

@testable import RecordKeeping

/// Events that tests often need.
extension KeeperHarness {
    @discardableResult
    func ask(_ body: Request.Body, asAdministrator: Bool = true, user: UInt32 = 0, peer: UInt64 = 1)
        -> (Request.ID, [Effect])
    {
        let id = nextRequest(of: peer)
        return (id, handle(.requested(Request(id: id, isByAdministrator: asAdministrator, user: user, body: body))))
    }

    @discardableResult
    func add(_ addresses: [IPAddress]) -> [Effect] {
        ask(.add(addresses, tags: [], note: nil)).1
    }

    /// Returns the entry of an address, as `Show` replies without waiting. The reply needs no expectation.
    func show(_ address: IPAddress) -> EntryView? {
        let (id, effects) = ask(.show([address], wait: .zero))
        consume { if case .entries(id, _) = $0 { true } else { false } }
        guard case .entries(let views)? = effects.answer(to: id) else { return nil }
        return views.first
    }

    @discardableResult
    func answerRouteCheck(_ status: RouteStatus) -> [Effect] {
        handle(.routeChecked(epoch: keeper.connectivity.epoch, status))
    }

    /// Reports that there is no route, twice: the loss is declared after the provider's name has been resolved again.
    /// The test states only the effects of the loss.
    @discardableResult
    func loseRoute(_ reason: String = "no route", sourceLocation: SourceLocation = #_sourceLocation) -> [Effect] {
        answerRouteCheck(.none(reason: reason))
        consume { if case .timer = $0 { true } else { false } }
        expect(.resolve, .checkRoute, sourceLocation: sourceLocation)
        return answerRouteCheck(.none(reason: reason))
    }

    /// Sends a reply to a call, with the same record for each of its addresses.
    @discardableResult
    func reply(
        to call: Call, _ record: Record = .example, quota: ReportedQuota = ReportedQuota(remaining: nil, resetsIn: nil)
    ) -> [Effect] {
        let answers = call.addresses.map { ($0, ElementAnswer.answered(.record(record))) }
        return handle(
            .replied(call.id, Reply(sentAt: now, answers: Dictionary(uniqueKeysWithValues: answers), quota: quota)))
    }

    @discardableResult
    func fail(
        _ call: Call, _ kind: Failure.Kind, message: String = "it went wrong", quota: ReportedQuota? = nil
    ) -> [Effect] {
        handle(.callFailed(call.id, CallFailure(kind: kind, message: message, quota: quota)))
    }

    /// Fails a call and the following one, which goes to the other endpoint, so that the provider as a whole fails. The
    /// test states the effects of the last event.
    @discardableResult
    func failProvider(
        _ call: Call, _ kind: Failure.Kind, message: String = "it went wrong", quota: ReportedQuota? = nil
    ) throws -> [Effect] {
        failAfterRouteCheck(call, kind, message: message, quota: quota)
        discardEffects()
        let next = try #require(pass(Limits.gather).calls.first)
        discardEffects()
        #expect(next.endpoint == call.endpoint.other)
        return failAfterRouteCheck(next, kind, message: message, quota: quota)
    }

    /// Fails a call. If the failure causes a route check, the check finds a route.
    @discardableResult
    private func failAfterRouteCheck(
        _ call: Call, _ kind: Failure.Kind, message: String, quota: ReportedQuota?
    ) -> [Effect] {
        let effects = fail(call, kind, message: message, quota: quota)
        guard effects.contains(where: { if case .checkRoute = $0 { true } else { false } }) else { return effects }
        discardEffects()
        return answerRouteCheck(.open)
    }

    /// Returns a keeper in which one address is watched and has a new record.
    static func withRecord(
        ignoring ignored: Set<EffectKind> = [], of address: IPAddress, settings: Settings = .unlimitedProvider,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> KeeperHarness {
        let harness = KeeperHarness(ignoring: ignored, settings: settings, sourceLocation: sourceLocation)
        harness.add([address])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.discardEffects()
        harness.reply(to: call)
        harness.discardEffects()
        return harness
    }
}
