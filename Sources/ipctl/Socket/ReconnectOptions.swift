import ArgumentParser

/// The option of commands that keep running while the daemon is restarted.
struct ReconnectOptions: ParsableArguments {
    @Flag(help: "End with status 69 when the daemon ends the connection, instead of reconnecting.")
    var noReconnect = false
}
