import Coastline

/// The files of the page, which are part of the program.
enum PageAssets {
    struct Asset: Sendable {
        var contentType: String
        var bytes: [UInt8]
    }

    /// The files by their names. References to other files are relative, or begin with the folder of all files.
    private static let files: [String: Asset] = [
        "index.html": Asset(contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        "page.css": Asset(contentType: "text/css; charset=utf-8", bytes: PackageResources.page_css),
        "icon.svg": Asset(contentType: "image/svg+xml", bytes: PackageResources.icon_svg),
        "page.js": script(PackageResources.page_js), "api.js": script(PackageResources.api_js),
        "card.js": script(PackageResources.card_js), "list.js": script(PackageResources.list_js),
        "map.js": script(PackageResources.map_js), "state.js": script(PackageResources.state_js),
        "text.js": script(PackageResources.text_js),
        "coastline.bin": Asset(contentType: "application/octet-stream", bytes: Coastline.file),
    ]

    /// The description of the API (OpenAPI 3.1).
    static let openAPI = PackageResources.openapi_json

    private static func script(_ bytes: [UInt8]) -> Asset {
        Asset(contentType: "text/javascript; charset=utf-8", bytes: bytes)
    }

    /// A hash of all files. It is part of their paths, so that browsers can keep them for ever.
    static let fingerprint: String = {
        // FNV-1a (draft-eastlake-fnv). Nobody gains anything by a collision.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for (_, file) in files.sorted(by: { $0.key < $1.key }) {
            for byte in file.bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }()

    /// The files as they are sent, with the fingerprint in their references.
    static let served: [String: Asset] = files.mapValues { file in
        guard file.contentType.hasPrefix("text/") else { return file }
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacing("\"/assets/", with: "\"/assets/\(fingerprint)/")
        return Asset(contentType: file.contentType, bytes: Array(text.utf8))
    }
}
