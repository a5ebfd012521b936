/// A place of made-up records. The places are real; their assignment to addresses is not.
struct MadeUpPlace: Hashable, Sendable {
    let continent: String
    let continentCode: String
    let country: String
    let countryCode: String
    let region: String
    let regionName: String
    let city: String
    let zip: String
    let lat: Double
    let lon: Double
    let timezone: String
    /// Seconds from UTC in standard time. The model has no calendar, and so no daylight saving time.
    let offset: Int
    let currency: String

    static let all = table.split(separator: "\n").map { MadeUpPlace(row: $0) }

    /// - Parameter row: one line of the table below.
    private init(row: Substring) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        // The table is a literal in this file, and a test reads all of it.
        guard cells.count == 12, let continent = Self.continents[cells[0]], let lat = Double(cells[7]),
            let lon = Double(cells[8]), let offset = Int(cells[10])
        else { preconditionFailure("invalid row in the table of places: \(row)") }
        self.continent = continent
        continentCode = cells[0]
        countryCode = cells[1]
        country = cells[2]
        region = cells[3]
        regionName = cells[4]
        city = cells[5]
        zip = cells[6]
        self.lat = lat
        self.lon = lon
        timezone = cells[9]
        self.offset = offset
        currency = cells[11]
    }

    private static let continents = [
        "AF": "Africa", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania", "SA": "South America",
    ]

    /// Continent, country code, country, region code, region, city, zip, latitude, longitude, time zone, offset,
    /// currency.
    private static let table = """
        EU|DE|Germany|BE|State of Berlin|Berlin|10115|52.5323|13.3846|Europe/Berlin|3600|EUR
        EU|DE|Germany|HE|Hesse|Frankfurt am Main|60313|50.1155|8.6842|Europe/Berlin|3600|EUR
        EU|FR|France|IDF|Île-de-France|Paris|75001|48.8626|2.3363|Europe/Paris|3600|EUR
        EU|GB|United Kingdom|ENG|England|London|EC1A|51.5201|-0.1017|Europe/London|0|GBP
        EU|GB|United Kingdom|SCT|Scotland|Edinburgh|EH1|55.9500|-3.1900|Europe/London|0|GBP
        EU|IE|Ireland|L|Leinster|Dublin|D02|53.3389|-6.2595|Europe/Dublin|0|EUR
        EU|NL|The Netherlands|NH|North Holland|Amsterdam|1012|52.3740|4.8897|Europe/Amsterdam|3600|EUR
        EU|CH|Switzerland|ZH|Zurich|Zürich|8001|47.3667|8.5500|Europe/Zurich|3600|CHF
        EU|ES|Spain|MD|Madrid|Madrid|28001|40.4240|-3.6840|Europe/Madrid|3600|EUR
        EU|IT|Italy|25|Lombardy|Milan|20121|45.4722|9.1922|Europe/Rome|3600|EUR
        EU|PL|Poland|14|Mazovia|Warsaw|00-001|52.2297|21.0122|Europe/Warsaw|3600|PLN
        EU|SE|Sweden|AB|Stockholm County|Stockholm|111 20|59.3293|18.0686|Europe/Stockholm|3600|SEK
        EU|FI|Finland|18|Uusimaa|Helsinki|00100|60.1719|24.9347|Europe/Helsinki|7200|EUR
        EU|UA|Ukraine|30|Kyiv City|Kyiv|01001|50.4501|30.5234|Europe/Kyiv|7200|UAH
        NA|US|United States|VA|Virginia|Ashburn|20149|39.0300|-77.5000|America/New_York|-18000|USD
        NA|US|United States|CA|California|San Jose|95112|37.3394|-121.8950|America/Los_Angeles|-28800|USD
        NA|US|United States|TX|Texas|Dallas|75201|32.7889|-96.8022|America/Chicago|-21600|USD
        NA|CA|Canada|QC|Quebec|Montreal|H2X|45.5075|-73.5724|America/Toronto|-18000|CAD
        NA|CA|Canada|BC|British Columbia|Vancouver|V6B|49.2804|-123.1113|America/Vancouver|-28800|CAD
        NA|MX|Mexico|CMX|Mexico City|Mexico City|06000|19.4326|-99.1332|America/Mexico_City|-21600|MXN
        SA|BR|Brazil|SP|São Paulo|São Paulo|01000|-23.5505|-46.6333|America/Sao_Paulo|-10800|BRL
        SA|AR|Argentina|C|Buenos Aires|Buenos Aires|C1001|-34.6083|-58.3712|America/Argentina/Buenos_Aires|-10800|ARS
        SA|CL|Chile|RM|Santiago Metropolitan|Santiago||-33.4489|-70.6693|America/Santiago|-14400|CLP
        AS|JP|Japan|13|Tokyo|Tokyo|100-0001|35.6852|139.7528|Asia/Tokyo|32400|JPY
        AS|JP|Japan|27|Osaka|Osaka|530-0001|34.7025|135.4959|Asia/Tokyo|32400|JPY
        AS|KR|South Korea|11|Seoul|Seoul|04524|37.5665|126.9780|Asia/Seoul|32400|KRW
        AS|SG|Singapore||Central Singapore|Singapore|018989|1.2834|103.8607|Asia/Singapore|28800|SGD
        AS|IN|India|MH|Maharashtra|Mumbai|400001|18.9388|72.8354|Asia/Kolkata|19800|INR
        AS|NP|Nepal|P3|Bagmati Province|Kathmandu|44600|27.7172|85.3240|Asia/Kathmandu|20700|NPR
        AS|AE|United Arab Emirates|DU|Dubai|Dubai||25.2048|55.2708|Asia/Dubai|14400|AED
        AF|ZA|South Africa|GP|Gauteng|Johannesburg|2001|-26.2041|28.0473|Africa/Johannesburg|7200|ZAR
        AF|KE|Kenya|30|Nairobi County|Nairobi|00100|-1.2864|36.8172|Africa/Nairobi|10800|KES
        OC|AU|Australia|NSW|New South Wales|Sydney|2000|-33.8688|151.2093|Australia/Sydney|36000|AUD
        OC|NZ|New Zealand|AUK|Auckland|Auckland|1010|-36.8485|174.7633|Pacific/Auckland|43200|NZD
        """
}
