import Fleet

/// The settings that all nodes of a fleet have in common, as text that this module does not interpret.
extension FleetOperation where Reply == String {
    /// Reads the settings: `{}` for a new fleet.
    package static func settings(of fleet: FleetKey) throws(FleetStoreError) -> Self {
        var script = FleetScript(.snapshot)
        try script.select("settings FROM iprecord.fleet WHERE id = $1", [.integer(fleet.number)])
        return Self(script, isWriting: false) { (results) throws(FleetStoreError) in
            try results.row(0).text("settings")
        }
    }
}

extension FleetOperation where Reply == Bool {
    /// Replaces the settings, if they are still these. The reply is whether the condition held.
    package static func changeSettings(
        from old: String, to new: String, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: FleetLimits.lockWait)
        try script.call("change_settings", [.integer(fleet.number), .text(old), .text(new)])
        return Self(script) { (results) throws(FleetStoreError) in try results.bool(0) }
    }
}
