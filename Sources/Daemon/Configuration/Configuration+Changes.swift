extension Configuration {
    /// Returns the names of the keys whose values differ and are applied only at startup, as `section.key`.
    package func keysRequiringRestart(comparedTo started: Configuration) -> [String] {
        Self.startKeys.filter { $0.differs(self, started) }.map(\.name)
    }

    /// A key's name, and whether its values in two configurations differ.
    typealias StartKey = (name: String, differs: @Sendable (Configuration, Configuration) -> Bool)

    /// All keys except those of `[watch]`, which a reload applies.
    static let startKeys: [StartKey] = [
        ("refresh.interval", { $0.interval != $1.interval }),
        ("provider.endpoint", { $0.endpoint != $1.endpoint }),
        ("provider.key-file", { $0.keyFile != $1.keyFile }),
        ("provider.language", { $0.language != $1.language }),
        ("provider.timeout", { $0.timeout != $1.timeout }),
        ("network.settle", { $0.debounce != $1.debounce }),
        ("control.socket", { $0.socket != $1.socket }),
        ("control.admin-group", { $0.adminGroup != $1.adminGroup }),
        ("store.path", { $0.storePath != $1.storePath }),
        ("store.keep-history", { $0.keepHistory != $1.keepHistory }),
        ("log.level", { $0.logLevel != $1.logLevel }),
    ]
}
