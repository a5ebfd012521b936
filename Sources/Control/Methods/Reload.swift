package import RecordKeeping
package import Varlink

/// The method `Reload`: reads the configuration and the watch-list files again.
package enum Reload {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["force", "dryRun"]
        /// Whether a reload that finds no address in the watch-list files may remove their entries; nil means false.
        package var force: Bool?
        /// Whether to reply with the changes that a reload would make, and change nothing; nil means false.
        package var dryRun: Bool?

        package init(force: Bool? = nil, dryRun: Bool? = nil) {
            self.force = force
            self.dryRun = dryRun
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            force = try members.flag("force")
            dryRun = try members.flag("dryRun")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of addresses that the reload added to the watch list.
        package var added: Int
        /// The number of watched addresses whose labels or sources the reload changed.
        package var changed: Int
        /// The number of addresses that the reload removed from the watch list.
        package var removed: Int
        /// The first addresses of each kind; nil unless the reload was only previewed.
        package var preview: Preview?

        private enum CodingKeys: String, CodingKey {
            case added, changed, removed, preview
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            added = try members.decode(Int.self, forKey: .added)
            // A daemon of an older version does not count them.
            changed = try members.decodeIfPresent(Int.self, forKey: .changed) ?? 0
            removed = try members.decode(Int.self, forKey: .removed)
            preview = try members.decodeIfPresent(Preview.self, forKey: .preview)
        }

        package init(added: Int, changed: Int = 0, removed: Int, preview: Preview? = nil) {
            self.added = added
            self.changed = changed
            self.removed = removed
            self.preview = preview
        }
    }

    /// The addresses that a reload would change.
    package struct Preview: Codable, Hashable, Sendable {
        package var added: [String]
        package var changed: [String]
        package var removed: [String]
        /// The differences for the first addresses in `changed`; nil from a daemon of an older version.
        package var changes: [Change]?
        /// The first invalid lines and unreadable files, which the reload would ignore; nil if there are none.
        package var problems: [String]?

        package init(
            added: [String], changed: [String], removed: [String], changes: [Change]? = nil, problems: [String]? = nil
        ) {
            self.added = added
            self.changed = changed
            self.removed = removed
            self.changes = changes
            self.problems = problems
        }

        package init(_ preview: ReloadPreview) {
            self.init(
                added: preview.added.map(\.description), changed: preview.changed.map(\.description),
                removed: preview.removed.map(\.description), changes: preview.changes.map { Change($0) },
                problems: preview.problems.isEmpty ? nil : preview.problems)
        }
    }

    /// The differences that a reload would make to an entry.
    package struct Change: Codable, Hashable, Sendable {
        package var address: String
        package var fields: [Interface.FieldChange]

        package init(_ change: WatchChange) {
            address = change.address.description
            fields = change.fields.map { Interface.FieldChange($0) }
        }
    }
}
