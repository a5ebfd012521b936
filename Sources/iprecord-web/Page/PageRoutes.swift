import HTTPTypes
import Hummingbird
import NIOCore

/// The page and its files.
struct PageRoutes {
    func add(to router: Router<WebContext>) {
        router.get("/") { request, _ in
            let tag = "\"\(PageAssets.fingerprint)\""
            guard request.headers[.ifNoneMatch] != tag else {
                return Response(status: .notModified, headers: [.eTag: tag, .cacheControl: "no-cache"])
            }
            return Self.response(PageAssets.served["index.html"], [.eTag: tag, .cacheControl: "no-cache"])
        }
        router.get("assets/:fingerprint/:name") { _, context in
            let (fingerprint, name) = (context.parameters.get("fingerprint"), context.parameters.get("name"))
            guard fingerprint == PageAssets.fingerprint, let name, let asset = PageAssets.served[name] else {
                throw Problem(status: .notFound, detail: "file not found; reload the page")
            }
            return Self.response(asset, [.cacheControl: "public, max-age=31536000, immutable"])
        }
    }

    private static func response(_ asset: PageAssets.Asset?, _ fields: HTTPFields) -> Response {
        guard let asset else { preconditionFailure("the page is part of the program") }
        var headers = fields
        headers[.contentType] = asset.contentType
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}
