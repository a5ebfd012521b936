/// A fictitious network of made-up records. The AS numbers are reserved for documentation (RFC 5398).
struct MadeUpNetwork: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case access, mobile, hosting, proxy }

    let number: Int
    let name: String
    /// The short name in the registry, for the field `asname`.
    let shortName: String
    /// The suffix of reverse names; nil if the network's addresses have none.
    let domain: String?
    let kind: Kind

    /// The value of the field `as`.
    var text: String { "AS\(number) \(name)" }

    static let all = table.map {
        MadeUpNetwork(number: $0.number, name: $0.name, shortName: $0.shortName, domain: $0.domain, kind: $0.kind)
    }

    private static let table: [(number: Int, name: String, shortName: String, domain: String?, kind: Kind)] = [
        (64_496, "Northwater Broadband GmbH", "NORTHWATER", "dsl.northwater.example", .access),
        (64_497, "Fjordnett AS", "FJORDNETT", "cust.fjordnett.example", .access),
        (64_498, "Blue Harbor Cable, Inc.", "BLUEHARBOR", "res.blueharbor.example", .access),
        (64_499, "Sakura Fiber K.K.", "SAKURAFIBER", nil, .access),
        (64_500, "Andes Telecom S.A.", "ANDESTEL", "dyn.andestelecom.example", .access),
        (64_501, "Swift Mobile Ltd", "SWIFTMOBILE", nil, .mobile),
        (64_502, "Savanna Wireless", "SAVANNA", "lte.savanna.example", .mobile),
        (64_503, "Granite Hosting LLC", "GRANITE", "vps.granitehosting.example", .hosting),
        (64_504, "Cirrus Cloud B.V.", "CIRRUS-CLOUD", "compute.cirrus.example", .hosting),
        (64_505, "Rackfield Datacenters", "RACKFIELD", "static.rackfield.example", .hosting),
        (64_506, "Lantern VPN Services", "LANTERNVPN", "exit.lantern.example", .proxy),
        (65_536, "Université de l'Exemple", "UNIV-EXEMPLE", "campus.univ.example", .access),
    ]
}
