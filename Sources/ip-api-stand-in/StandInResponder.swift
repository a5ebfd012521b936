import HTTPTypes
import Hummingbird
import NIOCore
import ProviderModel

/// What a request is answered with: by the model, or by the administration for paths below `/_admin/`.
struct StandInResponder: HTTPResponder {
    /// Of a request, all that is needed is its connection.
    struct Context: InitializableFromSource {
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            channel = source.channel
        }
    }

    let stage: Stage

    /// A batch of a hundred addresses has some 4 kB; more than this is a mistake.
    private static let longestBodyBytes = 1 << 20

    func respond(to request: Request, context: Context) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.longestBodyBytes)
        } catch is NIOTooManyBytesError {
            return Response(status: .contentTooLarge, headers: [.connection: "close"])
        }
        let question = ModelRequest(
            method: request.method.rawValue, path: request.uri.path, query: request.uri.query,
            body: Array(body.readableBytesView))
        if question.path.hasPrefix("/_admin/") { return Administration(stage: stage).answer(question) }
        let connection = context.channel.remoteAddress?.description ?? "unknown"
        let answer = stage.answer(question, over: connection)
        return try await Delivery(of: answer, over: context.channel).response()
    }
}
