import Control

extension Interface.Database {
    /// The version that the daemon uses, as text.
    func version(at now: Int64) -> String {
        guard let databaseType, let builtAt else { return state == "loading" ? "loading" : "not in use" }
        let loaded = loadedAt.map { ", loaded \(Times.ago($0, from: now))" } ?? ""
        return "\(databaseType) of \(Times.day(builtAt))\(loaded)"
    }
}
