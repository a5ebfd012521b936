import HTTPTypes
import Hummingbird
import NIOCore
import ProviderModel

/// Passes requests to the model, or to the administration for paths below `/_admin/`.
struct MockProviderResponder: HTTPResponder {
    /// The context of a request: its connection.
    struct Context: InitializableFromSource {
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            channel = source.channel
        }
    }

    let model: SharedModel

    /// Maximum size of a request's body in bytes. A batch of 100 addresses is about 4 kB long.
    private static let maxBodyBytes = 1 << 20

    func respond(to request: Request, context: Context) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.maxBodyBytes)
        } catch is NIOTooManyBytesError {
            return Response(status: .contentTooLarge, headers: [.connection: "close"])
        }
        let question = ModelRequest(
            method: request.method.rawValue, path: request.uri.path, query: request.uri.query,
            body: Array(body.readableBytesView))
        if question.path.hasPrefix("/_admin/") { return Administration(model: model).answer(question) }
        let connection = context.channel.remoteAddress?.description ?? "unknown"
        let answer = model.answer(question, over: connection)
        return try await Delivery(answer: answer, channel: context.channel).response()
    }
}
