package import RecordKeeping

/// The settings in `iprecordd.toml`, each with its default.
package struct Configuration: Hashable, Sendable {
    // [refresh]
    /// The time for which a record is valid.
    package var interval = Duration.seconds(300)

    // [provider]
    package var kind = Kind.http
    package var endpoint = "http://ip-api.com"
    /// The file with the provider's key; if the path is empty, the key is the systemd credential `ip-api-key`, if there
    /// is one.
    package var keyFile = ""
    package var proxy = ProxySetting.unset
    /// The file with the URL of the proxy; empty if there is none.
    package var proxyFile = ""
    /// The language of place names, as a code that the provider supports.
    package var language = "en"
    /// The maximum duration of a call.
    package var timeout = Duration.seconds(10)

    // [network]
    /// The debounce time of route events.
    package var debounce = Duration.milliseconds(250)

    // [control]
    package var socket: String
    package var adminGroup = "iprecord"

    // [store]
    package var storePath: String
    /// The age up to which changes, events and outages are kept.
    package var keepHistory = Duration.seconds(90 * 86_400)
    /// The number of backups to keep; with 0, none are made.
    package var backups = 7

    // [alerts]
    /// The fields whose changes raise alerts.
    package var alertFields = Settings.defaultAlertFields

    // [watch]
    package var addresses: [IPAddress] = []
    /// The directory of the watch-list files.
    package var watchDirectory: String

    // [offline]
    /// The paths of the local databases, in the order of their priority.
    package var databases: [String] = []

    // [log]
    /// The name of one of swift-log's levels.
    package var logLevel = "info"

    /// Creates the default configuration.
    ///
    /// - Parameter places: the directories of the socket, the database and the watch-list files.
    package init(places: Places) {
        socket = places.runtime + "/control.sock"
        storePath = places.state + "/records.db"
        watchDirectory = places.configuration + "/watch.d"
    }
}
