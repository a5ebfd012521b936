import IPAPI
import ProviderModel
import RecordKeeping

/// A comparison of a provider with the model, call by call, and its report.
struct ProviderComparison {
    private let decoder: ReplyDecoder
    private var model = ProviderModel()
    /// Endpoints to which no further call may be made, each with the reason.
    private var exhausted: [Call.Endpoint: String] = [:]
    private(set) var report: [String] = []
    private(set) var hasDifferences = false
    private(set) var isComplete = true

    /// - Parameter decoder: the daemon's decoder of replies.
    init(decoder: ReplyDecoder) {
        self.decoder = decoder
    }

    /// Records that a probe was not made although nothing is wrong.
    mutating func skip(_ probe: Probe, _ reason: String) {
        report.append("skipped    \(probe.title): \(reason)")
    }

    /// Makes the call of a probe, unless the quota is used up, and compares the response with that of the model.
    mutating func run(_ probe: Probe, over client: Client) async {
        if !probe.isSecure, let reason = exhausted[probe.endpoint] { return fail(probe, reason) }
        let response: RawReply
        do {
            response = try await client.exchange(probe.request)
        } catch {
            return fail(probe, error.message)
        }
        if response.quota.remaining == 0 || response.status == 429 {
            let rest = response.quota.resetsIn.map { "; run the check again in \($0.components.seconds + 1) s" } ?? ""
            // A client that continues after 429 is banned.
            let endpoints = response.status == 429 ? Call.Endpoint.allCases : [probe.endpoint]
            for endpoint in endpoints { exhausted[endpoint] = "the quota is used up\(rest)" }
        }
        guard response.status != 429 else { return fail(probe, exhausted[probe.endpoint] ?? "status 429") }
        let found = differences(of: response, from: expected(probe), to: probe)
        hasDifferences = hasDifferences || !found.isEmpty
        if found.isEmpty { report.append("same       \(probe.title)") }
        report += found.map { "different  \(probe.title): \($0)" }
    }

    private mutating func fail(_ probe: Probe, _ reason: String) {
        isComplete = false
        report.append("not made   \(probe.title): \(reason)")
    }

    private mutating func expected(_ probe: Probe) -> RawReply {
        if probe.isSecure { model.inject(.forbidden, calls: 1) }
        let request = probe.request
        let response = model.answer(
            ModelRequest(
                method: request.method, path: request.path, query: request.query, body: request.body ?? []),
            at: CheckProvider.start)
        return RawReply(
            status: response.status, headers: response.headers.map { ($0.name, $0.value) }, body: response.body,
            sentAt: CheckProvider.start)
    }

    // MARK: Comparing

    private func differences(of actual: RawReply, from expected: RawReply, to probe: Probe) -> [String] {
        guard actual.status == expected.status else {
            return ["the status is \(actual.status); expected \(expected.status)"]
        }
        var differences = headerDifferences(of: actual, from: expected)
        if let shape = JSONShape(expected.body) {
            guard let other = JSONShape(actual.body) else { return differences + ["the body is not JSON"] }
            differences += other.differences(from: shape)
        } else {
            differences += textDifferences(of: actual, from: expected)
        }
        if let call = probe.call {
            differences += answerDifferences(of: actual, from: expected, to: call)
        }
        return differences
    }

    /// Compares bodies in plain text, such as that of a refusal, without regard to white space.
    private func textDifferences(of actual: RawReply, from expected: RawReply) -> [String] {
        let (wanted, found) = (words(of: expected), words(of: actual))
        guard wanted != found else { return [] }
        return ["the body is \"\(found.prefix(Self.maxTextLength))\"; expected \"\(wanted)\""]
    }

    private func words(of reply: RawReply) -> String {
        String(decoding: reply.body, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The maximum number of characters of an unexpected text in the report.
    private static let maxTextLength = 100

    private func headerDifferences(of actual: RawReply, from expected: RawReply) -> [String] {
        var differences: [String] = []
        let (type, other) = (contentType(expected), contentType(actual))
        if type != other { differences.append("Content-Type is \(other ?? "missing"); expected \(type ?? "none")") }
        for name in ["X-Rl", "X-Ttl"] {
            switch (expected.header(name), actual.header(name)) {
            case (nil, nil): continue
            case (nil, let value?): differences.append("\(name) is \(value); expected none")
            case (_?, nil): differences.append("\(name) is missing")
            case (_?, let value?):
                if Int(value).map({ !(0...60).contains($0) }) ?? true {
                    differences.append("\(name) is \(value); expected a number from 0 to 60")
                }
            }
        }
        return differences
    }

    private func contentType(_ reply: RawReply) -> String? {
        reply.header("Content-Type").map { String($0.lowercased().filter { $0 != " " }) }
    }

    /// Compares the answers as the daemon decodes them.
    private func answerDifferences(of actual: RawReply, from expected: RawReply, to call: Call) -> [String] {
        let wanted = answers(in: expected, to: call)
        let found = answers(in: actual, to: call)
        return call.addresses.compactMap { address in
            let (wanted, found) = (wanted[address] ?? "nothing", found[address] ?? "nothing")
            return wanted == found ? nil : "the daemon reads \(found) for \(address); expected \(wanted)"
        }
    }

    private func answers(in reply: RawReply, to call: Call) -> [IPAddress: String] {
        do {
            return try decoder.reply(to: call, from: reply).answers.mapValues { answer in
                switch answer {
                case .answered(.record): "a record"
                case .answered(.empty(let reason)): "no record (\(reason))"
                case .malformed(let problem): "a malformed element (\(problem))"
                }
            }
        } catch {
            return Dictionary(uniqueKeysWithValues: call.addresses.map { ($0, "an error (\(error.message))") })
        }
    }
}
