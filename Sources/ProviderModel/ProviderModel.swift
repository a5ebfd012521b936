import JSON
package import RecordKeeping

/// A model of ip-api.com as a value: it answers requests, with the provider's quota windows, headers, records and
/// faults.
///
///     var provider = ProviderModel()
///     let response = provider.answer(ModelRequest(method: "GET", path: "/json/1.1.1.1"), at: now)
///     response.header("X-Rl")        // "44"
///
/// It reads no clock and draws no random numbers: the same requests at the same times get the same responses. The
/// simulation calls it directly, and the mock provider serves it over HTTP, so that both test against the same model.
/// Its records are made up, as `org` states. One record in ten is unusual.
package struct ProviderModel: Sendable {
    package let settings: ModelSettings
    /// The number of requests refused because a quota was used up.
    package private(set) var offences = 0
    private var windows: [Call.Endpoint: Window] = [:]
    private var bannedAt: BootTime?
    private var log: CallLog
    private var faults: [ActiveFault] = []
    private var revisions: [IPAddress: Int] = [:]
    private var revisionOfAll = 0
    private var keptElements = KeptElements()

    package init(_ settings: ModelSettings = ModelSettings()) {
        self.settings = settings
        log = CallLog(capacity: settings.loggedCalls)
        windows[.single] = settings.singleQuota.map { Window(limit: $0, length: settings.window) }
        windows[.batch] = settings.batchQuota.map { Window(limit: $0, length: settings.window) }
    }

    /// Answers one request. Calls are counted and logged. Other requests (404, 405, an invalid batch) are neither
    /// counted nor logged.
    package mutating func answer(_ request: ModelRequest, at now: Instant) -> ModelResponse {
        let question: ParsedRequest
        do {
            question = try ParsedRequest(request)
        } catch {
            return .plain(error.status, error.text)
        }
        var response = respond(to: question, at: now)
        let reported = windows[question.endpoint]?.reported(at: now.boot)
        // A redirection does not come from the provider, so it lacks the headers. A captive portal's page
        // gets the headers, although it does not come from the provider, so that clients that trust it are detected.
        if let reported, response.status != 302 {
            response.headers.append(.init(name: "X-Ttl", value: "\(reported.wholeSeconds)"))
            response.headers.append(.init(name: "X-Rl", value: "\(reported.remaining)"))
        }
        let isSent = response.delivery != .never && response.delivery != .reset
        log.append(
            at: now, endpoint: question.endpoint, queries: question.queries.map(\.text),
            status: isSent ? response.status : nil, remaining: reported?.remaining)
        return response
    }

    private mutating func respond(to question: ParsedRequest, at now: Instant) -> ModelResponse {
        guard !isBanned(at: now.boot) else { return .plain(403, "Forbidden") }
        guard windows[question.endpoint]?.spend(at: now.boot) ?? true else {
            offences += 1
            if let bound = settings.offencesUntilBan, offences % max(1, bound) == 0 { bannedAt = now.boot }
            return ModelResponse(status: 429)
        }
        if let key = settings.requiredKey, question.key != key {
            return .failure(403, "invalid/expired key")
        }
        guard question.queries.count <= Limits.addressesPerBatch else {
            return .plain(422, "Unprocessable Entity: at most \(Limits.addressesPerBatch) queries")
        }
        let active = dequeueFaults(of: question.endpoint)
        for fault in active where !fault.isOfElements {
            if let response = ModelResponse.replacement(for: fault) { return response }
        }
        var response = ModelResponse.json(200, body(for: question, faults: active))
        response.delivery = active.lazy.compactMap { $0.delivery(of: response) }.first ?? .whole
        return response
    }

    private mutating func body(for question: ParsedRequest, faults: [Fault]) -> [UInt8] {
        if settings.keepsElements, question.endpoint == .batch, faults.isEmpty { return keptBody(for: question) }
        var elements = question.queries.map {
            element(for: $0, of: question.endpoint, isChanged: faults.contains(.changedRecord))
        }
        for fault in faults { fault.apply(to: &elements) }
        var writer = JSONWriter(capacity: max(1, elements.count) * Self.typicalElementBytes)
        switch question.endpoint {
        case .batch: writer.array { writer in elements.forEach { $0.write(to: &writer) } }
        case .single: (elements.first ?? ModelElement([])).write(to: &writer)
        }
        return writer.bytes
    }

    /// Returns the body of a batch reply without faults.
    private mutating func keptBody(for question: ParsedRequest) -> [UInt8] {
        var writer = JSONWriter(capacity: max(1, question.queries.count) * Self.typicalElementBytes)
        writer.array { writer in
            for query in question.queries {
                let revision = query.address.map { self.revision(of: $0) } ?? 0
                let bytes =
                    keptElements.bytes(of: query, revision: revision)
                    ?? keptElements.keep(
                        element(for: query, of: .batch, isChanged: false), of: query, revision: revision)
                writer.rawValue { $0.raw(bytes) }
            }
        }
        return writer.bytes
    }

    private func revision(of address: IPAddress) -> Int { revisionOfAll + revisions[address, default: 0] }

    /// A size in bytes that most elements with all fields do not quite reach.
    private static let typicalElementBytes = 640

    private mutating func element(
        for query: ParsedRequest.Query, of endpoint: Call.Endpoint, isChanged: Bool
    ) -> ModelElement {
        let name: (String, ModelElement.Value) = ("query", .text(query.text))
        let fields: [(name: String, value: ModelElement.Value)]
        var spelling = ModelElement.Spelling.plain
        if let address = query.address {
            if isChanged { revisions[address, default: 0] += 1 }
            if let reason = Self.reason(against: address) {
                fields = [("status", .text("fail")), ("message", .text(reason)), name]
            } else {
                let record = MadeUpRecord(
                    address: address, revision: revision(of: address), variety: settings.variety,
                    hasDistinctTexts: settings.hasDistinctTexts)
                fields = [("status", .text("success"))] + record.fields + [name]
                spelling = Self.spelling(of: address, from: endpoint)
            }
        } else {
            fields = [("status", .text("fail")), ("message", .text("invalid query")), name]
        }
        return ModelElement(fields, spelling: spelling).selecting(query.fields)
    }

    /// The spelling of a record. One record in ten is escaped by `/batch`, and another one by `/json`, so that clients
    /// receive the same record in both spellings.
    private static func spelling(of address: IPAddress, from endpoint: Call.Endpoint) -> ModelElement.Spelling {
        let escaping: UInt64 = endpoint == .batch ? 0 : 1
        // With this salt, the addresses in the documents are spelled plainly.
        return MadeUpRecord.mixed(address.high, address.low, salt: 34) % 10 == escaping ? .escaped : .plain
    }

    /// The reason why an address has no record (docs/api:json, "message"); nil if it has one.
    private static func reason(against address: IPAddress) -> String? {
        guard let block = SpecialPurpose(holding: address) else { return nil }
        let isPrivate = block.purpose.hasPrefix("private") || block.purpose.hasPrefix("unique local")
        return isPrivate ? "private range" : "reserved range"
    }
}

// MARK: - Administration

extension ProviderModel {
    /// A fault in effect, for all calls or for a number of them.
    package struct ActiveFault: Hashable, Sendable {
        package let fault: Fault
        /// The endpoint with the fault; nil for both endpoints.
        package let endpoint: Call.Endpoint?
        /// The number of calls that will still have the fault; nil for all calls.
        package var callsLeft: Int?
    }

    package var activeFaults: [ActiveFault] { faults }

    /// Adds a fault from the next call on. Injecting the same fault again replaces its endpoint and its count.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint with the fault; nil for both.
    ///   - calls: the number of calls with the fault; nil for all.
    package mutating func inject(_ fault: Fault, at endpoint: Call.Endpoint? = nil, calls: Int? = nil) {
        faults.removeAll { $0.fault == fault }
        guard calls.map({ $0 > 0 }) ?? true else { return }
        faults.append(ActiveFault(fault: fault, endpoint: endpoint, callsLeft: calls))
    }

    package mutating func clearFaults() {
        faults = []
    }

    /// Returns the faults of the current call to an endpoint, and counts each of them down.
    private mutating func dequeueFaults(of endpoint: Call.Endpoint) -> [Fault] {
        let indices = faults.indices.filter { faults[$0].endpoint.map { $0 == endpoint } ?? true }
        let dequeued = indices.map { faults[$0].fault }
        for index in indices { faults[index].callsLeft? -= 1 }
        faults.removeAll { $0.callsLeft == 0 }
        return dequeued
    }

    /// Gives an address a record that differs from its previous one.
    package mutating func change(_ address: IPAddress) {
        revisions[address, default: 0] += 1
    }

    /// Gives every address a record that differs from its previous one.
    package mutating func changeAll() {
        revisionOfAll += 1
    }

    /// The most recent calls, oldest first, at most `settings.loggedCalls` of them.
    package var calls: [LoggedCall] { log.calls }

    /// The number of all calls, including those no longer in the log.
    package var callCount: Int { log.total }

    package mutating func forgetCalls() {
        log.clear()
    }

    package func isBanned(at now: BootTime) -> Bool {
        guard let bannedAt else { return false }
        return settings.banLength.map { now - bannedAt < $0 } ?? true
    }

    /// Changes the quota of an endpoint from its next window on. Does nothing if the endpoint has no quota.
    package mutating func setQuota(_ quota: Int, of endpoint: Call.Endpoint) {
        windows[endpoint]?.setLimit(quota)
    }

    /// The quota of an endpoint from its next window on; nil if it has none.
    package func quota(of endpoint: Call.Endpoint) -> Int? { windows[endpoint]?.upcomingLimit }

    /// Counts a request from a neighbour: another client behind the same public address, which shares the quota.
    package mutating func countNeighbour(at endpoint: Call.Endpoint, at now: BootTime) {
        _ = windows[endpoint]?.spend(at: now)
    }

    /// The state of an endpoint's window as its headers would report it; nil if the endpoint has no quota.
    package func window(of endpoint: Call.Endpoint, at now: BootTime) -> Window.Reported? {
        windows[endpoint]?.reported(at: now)
    }
}
