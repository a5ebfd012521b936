import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderModel

/// Sends a response of the model in the manner that its `delivery` describes, faulty or not.
struct Delivery {
    let answer: ModelResponse
    let channel: any Channel

    /// The connection was closed on purpose, so there is no response to send.
    private struct Ended: Error {}

    func response() async throws -> Response {
        switch answer.delivery {
        case .whole:
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
        case .after(let time):
            try await Task.sleep(for: time)
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
        case .dripping(let pause):
            return Response(status: status, headers: headers, body: dripping(every: pause))
        case .cutShort(let count):
            return Response(status: status, headers: headers, body: cutShort(after: count))
        case .endless:
            return Response(status: status, headers: headers, body: endless())
        case .never:
            // Cancelled only when the program exits; the socket stays open until then.
            while true { try await Task.sleep(for: .seconds(3_600)) }
        case .reset:
            try await reset()
            throw Ended()
        }
    }

    private var status: HTTPResponse.Status { HTTPResponse.Status(code: answer.status) }

    private var headers: HTTPFields {
        var fields = HTTPFields()
        for header in answer.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        return fields
    }

    private var bytes: ByteBuffer { ByteBuffer(bytes: answer.body) }

    private func dripping(every pause: Duration) -> ResponseBody {
        let body = answer.body
        return ResponseBody(contentLength: body.count) { writer in
            for byte in body {
                try await writer.write(ByteBuffer(bytes: [byte]))
                try await Task.sleep(for: pause)
            }
            try await writer.finish(nil)
        }
    }

    private func cutShort(after count: Int) -> ResponseBody {
        let (body, channel) = (answer.body, channel)
        return ResponseBody(contentLength: body.count) { writer in
            try await writer.write(ByteBuffer(bytes: body.prefix(count)))
            try await channel.close()
            throw Ended()
        }
    }

    private func endless() -> ResponseBody {
        // Pieces of up to 64 KiB limit the number of system calls; the peer sets the pace by reading.
        let piece = ByteBuffer(bytes: (0..<512).flatMap { _ in answer.body + Array(" ".utf8) }.prefix(65_536))
        return ResponseBody { writer in
            while true { try await writer.write(piece) }
        }
    }

    /// Closes the connection with a linger time of 0, so that the kernel sends RST instead of FIN (SO_LINGER,
    /// socket(7)).
    private func reset() async throws {
        if let socket = channel as? any SocketOptionProvider {
            try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close()
    }
}
