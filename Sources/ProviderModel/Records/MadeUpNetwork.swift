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

    static let all = [
        MadeUpNetwork(
            number: 64_496, name: "Northwater Broadband GmbH", shortName: "NORTHWATER",
            domain: "dsl.northwater.example", kind: .access),
        MadeUpNetwork(
            number: 64_497, name: "Fjordnett AS", shortName: "FJORDNETT", domain: "cust.fjordnett.example",
            kind: .access),
        MadeUpNetwork(
            number: 64_498, name: "Blue Harbor Cable, Inc.", shortName: "BLUEHARBOR", domain: "res.blueharbor.example",
            kind: .access),
        MadeUpNetwork(number: 64_499, name: "Sakura Fiber K.K.", shortName: "SAKURAFIBER", domain: nil, kind: .access),
        MadeUpNetwork(
            number: 64_500, name: "Andes Telecom S.A.", shortName: "ANDESTEL", domain: "dyn.andestelecom.example",
            kind: .access),
        MadeUpNetwork(number: 64_501, name: "Swift Mobile Ltd", shortName: "SWIFTMOBILE", domain: nil, kind: .mobile),
        MadeUpNetwork(
            number: 64_502, name: "Savanna Wireless", shortName: "SAVANNA", domain: "lte.savanna.example", kind: .mobile
        ),
        MadeUpNetwork(
            number: 64_503, name: "Granite Hosting LLC", shortName: "GRANITE", domain: "vps.granitehosting.example",
            kind: .hosting),
        MadeUpNetwork(
            number: 64_504, name: "Cirrus Cloud B.V.", shortName: "CIRRUS-CLOUD", domain: "compute.cirrus.example",
            kind: .hosting),
        MadeUpNetwork(
            number: 64_505, name: "Rackfield Datacenters", shortName: "RACKFIELD", domain: "static.rackfield.example",
            kind: .hosting),
        MadeUpNetwork(
            number: 64_506, name: "Lantern VPN Services", shortName: "LANTERNVPN", domain: "exit.lantern.example",
            kind: .proxy),
        MadeUpNetwork(
            number: 65_536, name: "Université de l'Exemple", shortName: "UNIV-EXEMPLE", domain: "campus.univ.example",
            kind: .access),
    ]
}
