/// The names of an unusual record.
struct OddNames {
    let city: String
    let regionName: String
    /// The network's name, also in the field `as`.
    let network: String
    let shortName: String
    /// The reverse name; nil if the record keeps its own.
    var reverse: String?

    /// Returns the fields with these names. A record without a network still has none afterwards.
    func replacing(
        in fields: [(name: String, value: ModelElement.Value)]
    ) -> [(name: String, value: ModelElement.Value)] {
        fields.map { field in
            guard case .text(let text) = field.value else { return field }
            let value: String
            switch field.name {
            case "city": value = city
            case "regionName": value = regionName
            case "isp" where !text.isEmpty: value = network
            case "as" where !text.isEmpty: value = "\(text.prefix { $0 != " " }) \(network)"
            case "asname" where !text.isEmpty: value = shortName
            case "reverse" where !text.isEmpty: value = reverse ?? text
            default: return field
            }
            return (field.name, .text(value))
        }
    }
}

extension Oddity {
    /// The variants of the names; empty for an oddity that concerns other fields.
    var names: [OddNames] { Self.names[self] ?? [] }

    private static let names: [Oddity: [OddNames]] = [
        .quotes: [
            OddNames(
                city: #"Saint-"Quote"-d'Ailleurs"#, regionName: #"North\South"#,
                network: #"C:\Networks\"Quoted" & <b>Sons</b>, Inc."#, shortName: #"QUOTED\"#,
                reverse: #"printer\ "lobby".example"#),
            OddNames(
                city: "O'Brien's / \"Bend\"", regionName: "';--", network: "{\"isp\":null},[]", shortName: "\"\\/\"",
                reverse: "a_b--c.%00.example"),
        ],
        .accents: [
            OddNames(
                city: "Łódź", regionName: "Provence-Alpes-Côte d'Azur", network: "Telefónica Móviles Ñandú S.A.",
                shortName: "TELEFÓNICA"),
            OddNames(
                city: "Đà Nẵng", regionName: "Bà Rịa-Vũng Tàu", network: "Straße & Søn ÆØÅ ehf.",
                shortName: "STRASSE-ẞ"),
        ],
        .ideographs: [
            OddNames(
                city: "東京都千代田区", regionName: "関東地方", network: "中国电信股份有限公司", shortName: "电信-𠮷野家"),
            OddNames(
                city: "서울특별시", regionName: "경기도", network: "케이티 주식회사", shortName: "ＦＵＬＬＷＩＤＴＨ",
                reverse: "xn--3e0b707e.example"),
        ],
        .rightToLeft: [
            OddNames(
                city: "القاهرة", regionName: "תל אביב-יפו", network: "شركة الاتصالات (ISP) ١٢٣", shortName: "اتصالات"),
            OddNames(
                city: "می\u{200C}خواهم", regionName: "\u{200F}تهران\u{200E}", network: "بزرگ\u{200D}شبکه Ltd.",
                shortName: "\u{61C}TEHRAN"),
        ],
        .combining: [
            OddNames(
                city: "Sa\u{303}o Joa\u{303}o", regionName: "ก็กี้", network: "Z\u{351}\u{36B}\u{343}a\u{36A}lgo Net",
                shortName: "e\u{301}E\u{301}"),
            OddNames(
                city: "👩‍👩‍👧 City", regionName: "🏳️‍🌈", network: "नमस्ते नेटवर्क", shortName: "\u{301}ACUTE"),
        ],
        .controls: [
            OddNames(
                city: "Line\nFeed\tTab\r", regionName: "NUL\u{0}here", network: "Bell\u{7} \u{1B}[31mRed\u{1B}[0m",
                shortName: "DEL\u{7F}", reverse: "evil\u{202E}moc.example"),
            OddNames(
                city: "\u{FEFF}Mark", regionName: "Separators\u{2028}\u{2029}", network: "C1\u{85}\u{9B}31m Networks",
                shortName: "\u{2066}ISOLATE", reverse: "a\u{8}\u{C}b.example"),
        ],
        // A reader keeps 256 bytes of a text, and a DNS name has at most 253 characters in labels of at most 63 (RFC
        // 1035, section 2.3.4).
        .longNames: [
            OddNames(
                city: String(repeating: "Llanfair", count: 32), regionName: String(repeating: "é", count: 128),
                network: String(repeating: "Very Long Network Name ", count: 20),
                shortName: String(repeating: "N", count: 255) + "é",
                reverse: [63, 63, 63, 61].map { String(repeating: "x", count: $0) }.joined(separator: ".")),
            OddNames(
                city: String(repeating: "漢", count: 1_000), regionName: "R" + String(repeating: "\u{301}", count: 400),
                network: String(repeating: "👩‍👩‍👧", count: 30), shortName: String(repeating: "LONG-", count: 60),
                reverse: String(repeating: "label.", count: 60) + "example"),
        ],
    ]
}
