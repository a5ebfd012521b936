import RecordKeeping
import Testing

@testable import IPAPI

@Suite struct ElementTests {
    /// The answer for an element of 1.1.1.1 with the given fields besides `status` and `query`.
    private func reported(_ fields: String) throws -> ElementAnswer? {
        let call = try batch("1.1.1.1")
        let element = #"{"status":"success",\#(fields)\#(fields.isEmpty ? "" : ",")"query":"1.1.1.1"}"#
        return try answers(to: call, in: "[\(element)]")[call.addresses[0]]
    }

    @Test func `every documented field is read`() throws {
        var record = Record()
        record.continent = "North America"
        record.continentCode = "NA"
        record.country = "Canada"
        record.countryCode = "CA"
        record.region = "QC"
        record.regionName = "Québec"
        record.city = "Montreal"
        record.district = "Ville-Marie"
        record.zip = "H1K"
        record.lat = 45.6085
        record.lon = -73.5493
        record.timezone = "America/Toronto"
        record.offset = -14_400
        record.currency = "CAD"
        record.isp = "Le Groupe Videotron Ltee"
        record.org = "Videotron \"Ltee\""
        record.as = "AS5769 Videotron Ltee"
        record.asname = "VIDEOTRON"
        record.reverse = "modemcable001.48-201-24.mc.videotron.ca"
        record.mobile = false
        record.proxy = true
        record.hosting = false
        let body = """
            "continent":"North America","continentCode":"NA","country":"Canada","countryCode":"CA","region":"QC",
            "regionName":"Qu\\u00e9bec","city":"Montreal","district":"Ville-Marie","zip":"H1K","lat":45.6085,
            "lon":-73.5493,"timezone":"America/Toronto","offset":-14400,"currency":"CAD",
            "isp":"Le Groupe Videotron Ltee","org":"Videotron \\"Ltee\\"","as":"AS5769 Videotron Ltee",
            "asname":"VIDEOTRON","reverse":"modemcable001.48-201-24.mc.videotron.ca","mobile":false,"proxy":true,
            "hosting":false,"somethingNew":{"a":[1]}
            """
        #expect(try reported(body) == .answered(.record(record)))
        #expect(record.asn == 5769)
    }

    @Test func `missing, null, empty and blank fields are nil`() throws {
        for value in ["null", "\"\"", "\"  \"", "\" \\t\\u00a0\""] {
            let body = FieldName.texts.map { "\"\($0)\":\(value)" }.joined(separator: ",")
            #expect(try reported(body) == .answered(.record(Record())))
        }
        let nulls = FieldName.others.map { "\"\($0)\":null" }.joined(separator: ",")
        #expect(try reported(nulls) == .answered(.record(Record())))
        #expect(try reported("") == .answered(.record(Record())))
    }

    @Test func `a text field of another type makes the element malformed, and the message names it`() throws {
        for name in FieldName.texts {
            for value in ["5", "true", "[]", "{}", "[\"a\"]"] {
                #expect(try reported("\"\(name)\":\(value)")?.problem == "\(name) is not a string")
            }
        }
    }

    @Test(arguments: ["mobile", "proxy", "hosting"])
    func `a flag is true or false, and nothing else`(name: String) throws {
        #expect(
            try reported("\"\(name)\":true")?.record?.text(of: try #require(Record.Field(rawValue: name))) == "true")
        for value in ["1", "0", "\"true\"", "\"\"", "[]"] {
            #expect(try reported("\"\(name)\":\(value)")?.problem == "\(name) is not a Boolean")
        }
    }

    @Test(
        arguments: [
            ("1.5", 1.5), ("-90", -90), ("90", 90), ("9e1", 90), ("0", 0), ("-0.0", 0), ("\"1.5\"", 1.5),
            ("\"-90\"", -90),
            ("\"\"", nil), ("\" \"", nil), ("null", nil),
        ] as [(String, Double?)])
    func `a latitude is a number or a numeric string`(json: String, degrees: Double?) throws {
        let record = try #require(try reported("\"lat\":\(json)")?.record)
        #expect(record.lat == degrees)
        #expect(record.text(of: .lat) != "-0.0")
    }

    @Test(arguments: [
        "90.0001", "-91", "1e400", "\"1e1\"", "\"+5\"", "\"1,5\"", "\"0x10\"", "\"nan\"", "\"inf\"", "\" 1\"", "\"1 \"",
        "\"1.5.2\"", "\"-\"", "\"٣\"", "true", "[]", "{}", "\"\(String(repeating: "1", count: 400))\"",
    ])
    func `an invalid latitude makes the element malformed`(json: String) throws {
        #expect(try reported("\"lat\":\(json)")?.problem?.hasPrefix("lat is ") == true)
    }

    @Test func `a longitude is at most 180 degrees`() throws {
        #expect(try reported("\"lon\":-180")?.record?.lon == -180)
        #expect(try reported("\"lon\":180.5")?.problem == "lon is 180.5, outside the range from -180.0 to 180.0")
    }

    @Test(
        arguments: [
            ("-14400", -14_400), ("20700", 20_700), ("0", 0), ("3600.0", 3_600), ("\"3600\"", 3_600),
            ("\"-3600\"", -3_600),
            ("86400", 86_400), ("null", nil), ("\"\"", nil),
        ] as [(String, Int?)])
    func `an offset is a whole number of seconds`(json: String, seconds: Int?) throws {
        #expect(try #require(try reported("\"offset\":\(json)")?.record).offset == seconds)
    }

    @Test(arguments: [
        "1.5", "86401", "-86401", "1e30", "\"one\"", "true", "[]", "99999999999999999999", "-9223372036854775808",
        "9223372036854775807", "-9223372036854775809", "\"-9223372036854775808\"", "-1e308",
    ])
    func `an invalid offset makes the element malformed`(json: String) throws {
        #expect(try reported("\"offset\":\(json)")?.problem?.hasPrefix("offset is ") == true)
    }

    @Test(arguments: [
        (#"{"query":"1.1.1.1"}"#, "status is missing"),
        (#"{"status":null,"query":"1.1.1.1"}"#, "status is missing"),
        (#"{"status":"","query":"1.1.1.1"}"#, "status is missing"),
        (#"{"status":"ok","query":"1.1.1.1"}"#, "status is \"ok\"; expected \"success\" or \"fail\""),
        (#"{"status":1,"query":"1.1.1.1"}"#, "status is not a string"),
        (#"{"status":"fail","message":3,"query":"1.1.1.1"}"#, "message is not a string"),
        (#"{"status":"success","city":"\ud800","query":"1.1.1.1"}"#, "city is not a string"),
    ])
    func `an element without a usable status is malformed`(element: String, problem: String) throws {
        let call = try batch("1.1.1.1")
        #expect(try answers(to: call, in: "[\(element)]")[call.addresses[0]]?.problem == problem)
    }

    @Test func `a text is truncated to 256 bytes at the end of a character`() throws {
        let long = String(repeating: "é", count: 200)
        #expect(try reported("\"city\":\"\(long)\"")?.record?.city == String(repeating: "é", count: 128))
        let fits = String(repeating: "a", count: 256)
        #expect(try reported("\"city\":\"\(fits)\"")?.record?.city == fits)
        let family = String(repeating: "👨‍👩‍👧", count: 20)
        #expect(try reported("\"city\":\"\(family)\"")?.record?.city == String(repeating: "👨‍👩‍👧", count: 14))
        let reason = try answers(
            to: try batch("1.1.1.1"),
            in: #"[{"status":"fail","message":"\#(String(repeating: "x", count: 9_000))","query":"1.1.1.1"}]"#)
        #expect(reason.values.first?.emptyReason?.utf8.count == 256)
    }

    @Test func `a single character that exceeds the bound is truncated between its scalars`() throws {
        let endless = "a" + String(repeating: "\u{301}", count: 1_000)
        let city = try #require(try reported("\"city\":\"\(endless)\"")?.record?.city)
        #expect(city.hasPrefix("a") || city.unicodeScalars.first == "a")
        #expect(city.utf8.count <= 256 && !city.isEmpty)
    }

    @Test func `control characters and bidirectional overrides are replaced`() throws {
        let record = try reported(
            #""reverse":"a\u001b[2Jb\u0007\u009bc\u0000\nd\u202ee\u2066f","city":"Ra\u0308tsel \u200dok""#)?
            .record
        #expect(record?.reverse == "a�[2Jb��c��d�e�f")
        #expect(record?.city == "Rätsel \u{200D}ok")
    }
}

extension FieldName {
    static let texts = [
        "continent", "continentCode", "country", "countryCode", "region", "regionName", "city", "district", "zip",
        "timezone", "currency", "isp", "org", "as", "asname", "reverse",
    ]
    static let others = ["lat", "lon", "offset", "mobile", "proxy", "hosting"]
}
