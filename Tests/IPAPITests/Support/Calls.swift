import IPAPI
import RecordKeeping

/// A call for one address.
func single(_ address: String) throws -> Call {
    Call(id: Call.ID(number: 1), endpoint: .single, addresses: [try IPAddress(address)])
}

/// A call for several addresses.
func batch(_ addresses: String...) throws -> Call {
    Call(id: Call.ID(number: 1), endpoint: .batch, addresses: try addresses.map { try IPAddress($0) })
}

/// A time that differs from the current one on any test machine.
let someTime = Instant(boot: BootTime(nanoseconds: 7_000), wall: WallTime(milliseconds: 1_700_000_000_000))

/// A response with the given body.
func reply(_ body: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> RawReply {
    RawReply(status: status, headers: headers, body: Array(body.utf8), sentAt: someTime)
}

/// Decodes a body with status 200 and returns its answers.
func answers(to call: Call, in body: String) throws -> [IPAddress: ElementAnswer] {
    try ReplyDecoder(try Provider()).reply(to: call, from: reply(body)).answers
}

/// The failure to decode a response; nil if the response is usable.
func failure(of raw: RawReply, to call: Call, from provider: Provider) -> CallFailure? {
    do {
        _ = try ReplyDecoder(provider).reply(to: call, from: raw)
        return nil
    } catch {
        return error
    }
}

extension ElementAnswer {
    var record: Record? {
        if case .answered(.record(let record)) = self { record } else { nil }
    }

    var emptyReason: String? {
        if case .answered(.empty(let reason)) = self { reason } else { nil }
    }

    var problem: String? {
        if case .malformed(let problem) = self { problem } else { nil }
    }
}
