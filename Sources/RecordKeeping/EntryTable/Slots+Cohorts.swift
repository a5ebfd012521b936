/// The cohorts of the entries. Each cohort holds a reference to the interned name of its provider.
extension Slots {
    /// Adds the cohort of a new call.
    ///
    /// - Parameter id: the id of its row in the store; nil for a new row.
    /// - Returns: its index. The caller holds the cohort until it calls `releaseCohort`.
    mutating func addCohort(
        _ id: CohortID? = nil, at time: Instant, provider: String, version: DataVersion.ID? = nil
    ) -> UInt32 {
        cohorts.add(id ?? cohorts.nextID(), at: time, provider: held(provider), version: version)
    }

    /// Adds a stored cohort of an earlier run. The entries with its records become its holders.
    mutating func restoreCohort(
        _ id: CohortID, at time: Instant, provider: String, version: DataVersion.ID? = nil
    ) -> UInt32 {
        cohorts.restore(id, at: time, provider: held(provider), version: version)
    }

    func provider(ofCohort cohort: UInt32) -> String { internedValues.texts[cohorts[cohort].provider] ?? "" }

    /// Removes a holder of a cohort. A cohort without holders is removed.
    mutating func releaseCohort(_ cohort: UInt32) {
        guard var provider = cohorts.release(cohort) else { return }
        internedValues.texts.replace(&provider, by: nil)
    }

    private mutating func held(_ provider: String) -> UInt32 {
        var index: UInt32 = 0
        internedValues.texts.replace(&index, by: provider)
        return index
    }
}
