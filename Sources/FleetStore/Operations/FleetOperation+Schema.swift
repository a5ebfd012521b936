package import Fleet

/// The schema, and the row of a fleet.
extension FleetOperation where Reply == FleetKey {
    /// Creates or migrates the schema, creates the row of a fleet unless it exists, and grants a role the privileges of
    /// a node. May be repeated, also by several hosts at once.
    ///
    /// Fails with `schemaNewer` if a newer program has migrated the schema, and then changes nothing. The role must own
    /// the schema, or may create it in the database (CREATE).
    ///
    /// - Parameters:
    ///   - name: the name of the fleet.
    ///   - incarnation: a random id for a new fleet's first incarnation.
    ///   - role: the role as which nodes connect; nil if it is the current one.
    package static func initialize(
        fleet name: String, incarnation: UniqueID, grantingTo role: String?
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.append(FleetSchema.migration)
        try script.select(
            "iprecord.require_durability() FROM iprecord.create_fleet($1, $2)", [.text(name), .id(incarnation)])
        if let role { script.append(FleetSchema.grants(to: role)) }
        try script.select("id FROM iprecord.fleet WHERE name = $1", [.text(name)])
        return Self(script) { (results) throws(FleetStoreError) in FleetKey(number: try results.row(-1).integer("id")) }
    }

    /// Finds the row of a fleet by its name. Fails with `unknownFleet`, or with an error of the schema.
    package static func find(fleet name: String) throws(FleetStoreError) -> Self {
        var script = FleetScript(.snapshot)
        script.append("SELECT version, usable_from FROM iprecord.version")
        try script.select("id FROM iprecord.fleet WHERE name = $1", [.text(name)])
        return Self(script, isWriting: false, findsSchema: true) { (results) throws(FleetStoreError) in
            let schema = try results.row(0)
            let version = Int(try schema.integer("version"))
            guard try schema.integer("usable_from") <= Int64(FleetSchema.newest) else {
                throw .schemaNewer(found: version, known: FleetSchema.newest)
            }
            guard version >= FleetSchema.newest else {
                throw .schemaOlder(found: version, needed: FleetSchema.newest)
            }
            guard let row = try results.rows(1).first else { throw .unknownFleet(name: name) }
            return FleetKey(number: try row.integer("id"))
        }
    }
}
