package import RecordKeeping

/// What `iprecordd.toml` says, every key with its default.
package struct Configuration: Hashable, Sendable {
    // [refresh]
    package var interval = Duration.seconds(300)

    // [provider]
    package var endpoint = "http://ip-api.com"
    /// Empty for the systemd credential, where there is one.
    package var keyFile = ""
    package var language = "en"
    package var timeout = Duration.seconds(10)

    // [network]
    package var settle = Duration.milliseconds(250)

    // [control]
    package var socket: String
    package var adminGroup = "iprecord"

    // [store]
    package var storePath: String
    package var keepHistory = Duration.seconds(90 * 86_400)

    // [watch]
    package var addresses: [IPAddress] = []
    package var watchDirectory: String

    // [log]
    package var logLevel = "info"

    /// The defaults for the folders of `places`.
    package init(places: Places) {
        socket = places.runtime + "/control.sock"
        storePath = places.state + "/records.db"
        watchDirectory = places.configuration + "/watch.d"
    }
}
