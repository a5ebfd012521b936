/// The paths from which the fields of a record are read. docs/mmdb.md lists them with the vendors' documentation.
struct FieldMapping {
    /// A part of a record that a path supplies.
    enum Target: Hashable {
        case continent, continentCode, country, countryCode
        case region, regionName, city, zip, latitude, longitude, timezone
        /// The number of the autonomous system, as a number or as text such as "AS15169".
        case asNumber
        case asName
        case isp, organization, proxy, hosting
    }

    /// Paths that belong together, such as the code and the name of one country. `ValueReader` describes the paths.
    struct Option {
        let schema: DatabaseSchema
        let paths: [(target: Target, path: String)]

        init(_ schema: DatabaseSchema, _ paths: (Target, String)...) {
            self.schema = schema
            self.paths = paths.map { (target: $0.0, path: $0.1) }
        }
    }

    /// Options of which the first that has its first path in the database is used, with all its paths.
    static let groups: [[Option]] = [
        [
            Option(.maxMind, (.continentCode, "continent.code"), (.continent, "continent.names.*")),
            Option(.maxMind, (.continent, "continent.names.*")),
            Option(.ipinfo, (.continentCode, "continent_code"), (.continent, "continent")),
        ],
        [
            Option(.maxMind, (.countryCode, "country.iso_code"), (.country, "country.names.*")),
            Option(
                .maxMind, (.countryCode, "registered_country.iso_code"), (.country, "registered_country.names.*")),
            Option(.maxMind, (.country, "country.names.*")),
            Option(.ipinfo, (.countryCode, "country_code"), (.country, "country")),
        ],
        [
            Option(
                .maxMind, (.regionName, "subdivisions.0.names.*"), (.region, "subdivisions.0.iso_code")),
            Option(.maxMind, (.region, "subdivisions.0.iso_code")),
        ],
        [Option(.maxMind, (.city, "city.names.*"))],
        [Option(.maxMind, (.zip, "postal.code"))],
        [Option(.maxMind, (.latitude, "location.latitude"), (.longitude, "location.longitude"))],
        [Option(.maxMind, (.timezone, "location.time_zone"))],
        [
            Option(
                .maxMind, (.asNumber, "autonomous_system_number"), (.asName, "autonomous_system_organization")),
            Option(
                .maxMind, (.asNumber, "traits.autonomous_system_number"),
                (.asName, "traits.autonomous_system_organization")),
            Option(.ipinfo, (.asNumber, "asn"), (.asName, "as_name")),
        ],
        [Option(.maxMind, (.isp, "isp")), Option(.maxMind, (.isp, "traits.isp"))],
        [
            Option(.maxMind, (.organization, "organization")),
            Option(.maxMind, (.organization, "traits.organization")),
        ],
        [Option(.iprecord, (.proxy, "iprecord.proxy"))],
        [Option(.iprecord, (.hosting, "iprecord.hosting"))],
    ]

    /// The targets with the index of their path, in the structure of `groups`.
    let groups: [[[(target: Target, index: Int)]]]
    let tree: PathTree
    let pathCount: Int

    init(_ schemas: [DatabaseSchema]) {
        var paths: [String] = []
        func index(of path: String) -> Int {
            if let known = paths.firstIndex(of: path) { return known }
            paths.append(path)
            return paths.count - 1
        }
        groups = Self.groups.map { options in
            options.filter { schemas.contains($0.schema) }.map { option in
                option.paths.map { ($0.target, index(of: $0.path)) }
            }
        }
        tree = PathTree(paths)
        pathCount = paths.count
    }
}
