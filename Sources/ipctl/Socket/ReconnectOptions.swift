import ArgumentParser

/// The option of commands that keep running while the daemon is restarted.
struct ReconnectOptions: ParsableArguments {
    @Flag(help: "Exit with status 69 if the daemon closes the connection, instead of reconnecting.")
    var noReconnect = false
}
