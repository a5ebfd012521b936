/// A place that made-up records are in. The places are real, who is where is not.
struct Place: Hashable, Sendable {
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
    /// Seconds from UTC in winter. A model has no calendar: no daylight saving.
    let offset: Int
    let currency: String

    private init(
        _ continentCode: String, _ countryCode: String, _ country: String, _ region: String, _ regionName: String,
        _ city: String, _ zip: String, _ lat: Double, _ lon: Double, _ timezone: String, _ offset: Int,
        _ currency: String
    ) {
        self.continentCode = continentCode
        self.continent = Self.continents[continentCode] ?? ""
        self.country = country
        self.countryCode = countryCode
        self.region = region
        self.regionName = regionName
        self.city = city
        self.zip = zip
        self.lat = lat
        self.lon = lon
        self.timezone = timezone
        self.offset = offset
        self.currency = currency
    }

    private static let continents = [
        "AF": "Africa", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania", "SA": "South America",
    ]

    static let all = [
        Place(
            "EU", "DE", "Germany", "BE", "State of Berlin", "Berlin", "10115", 52.5323, 13.3846, "Europe/Berlin", 3_600,
            "EUR"),
        Place(
            "EU", "DE", "Germany", "HE", "Hesse", "Frankfurt am Main", "60313", 50.1155, 8.6842, "Europe/Berlin", 3_600,
            "EUR"),
        Place(
            "EU", "FR", "France", "IDF", "Île-de-France", "Paris", "75001", 48.8626, 2.3363, "Europe/Paris", 3_600,
            "EUR"),
        Place(
            "EU", "GB", "United Kingdom", "ENG", "England", "London", "EC1A", 51.5201, -0.1017, "Europe/London", 0,
            "GBP"),
        Place(
            "EU", "GB", "United Kingdom", "SCT", "Scotland", "Edinburgh", "EH1", 55.9500, -3.1900, "Europe/London", 0,
            "GBP"),
        Place("EU", "IE", "Ireland", "L", "Leinster", "Dublin", "D02", 53.3389, -6.2595, "Europe/Dublin", 0, "EUR"),
        Place(
            "EU", "NL", "The Netherlands", "NH", "North Holland", "Amsterdam", "1012", 52.3740, 4.8897,
            "Europe/Amsterdam", 3_600, "EUR"),
        Place(
            "EU", "CH", "Switzerland", "ZH", "Zurich", "Zürich", "8001", 47.3667, 8.5500, "Europe/Zurich", 3_600, "CHF"),
        Place("EU", "ES", "Spain", "MD", "Madrid", "Madrid", "28001", 40.4240, -3.6840, "Europe/Madrid", 3_600, "EUR"),
        Place("EU", "IT", "Italy", "25", "Lombardy", "Milan", "20121", 45.4722, 9.1922, "Europe/Rome", 3_600, "EUR"),
        Place(
            "EU", "PL", "Poland", "14", "Mazovia", "Warsaw", "00-001", 52.2297, 21.0122, "Europe/Warsaw", 3_600, "PLN"),
        Place(
            "EU", "SE", "Sweden", "AB", "Stockholm County", "Stockholm", "111 20", 59.3293, 18.0686, "Europe/Stockholm",
            3_600, "SEK"),
        Place(
            "EU", "FI", "Finland", "18", "Uusimaa", "Helsinki", "00100", 60.1719, 24.9347, "Europe/Helsinki", 7_200,
            "EUR"),
        Place("EU", "UA", "Ukraine", "30", "Kyiv City", "Kyiv", "01001", 50.4501, 30.5234, "Europe/Kyiv", 7_200, "UAH"),
        Place(
            "NA", "US", "United States", "VA", "Virginia", "Ashburn", "20149", 39.0300, -77.5000, "America/New_York",
            -18_000, "USD"),
        Place(
            "NA", "US", "United States", "CA", "California", "San Jose", "95112", 37.3394, -121.8950,
            "America/Los_Angeles", -28_800, "USD"),
        Place(
            "NA", "US", "United States", "TX", "Texas", "Dallas", "75201", 32.7889, -96.8022, "America/Chicago",
            -21_600, "USD"),
        Place(
            "NA", "CA", "Canada", "QC", "Quebec", "Montreal", "H2X", 45.5075, -73.5724, "America/Toronto", -18_000,
            "CAD"),
        Place(
            "NA", "CA", "Canada", "BC", "British Columbia", "Vancouver", "V6B", 49.2804, -123.1113, "America/Vancouver",
            -28_800, "CAD"),
        Place(
            "NA", "MX", "Mexico", "CMX", "Mexico City", "Mexico City", "06000", 19.4326, -99.1332,
            "America/Mexico_City", -21_600, "MXN"),
        Place(
            "SA", "BR", "Brazil", "SP", "São Paulo", "São Paulo", "01000", -23.5505, -46.6333, "America/Sao_Paulo",
            -10_800, "BRL"),
        Place(
            "SA", "AR", "Argentina", "C", "Buenos Aires F.D.", "Buenos Aires", "C1001", -34.6083, -58.3712,
            "America/Argentina/Buenos_Aires", -10_800, "ARS"),
        Place(
            "SA", "CL", "Chile", "RM", "Santiago Metropolitan", "Santiago", "", -33.4489, -70.6693, "America/Santiago",
            -14_400, "CLP"),
        Place("AS", "JP", "Japan", "13", "Tokyo", "Tokyo", "100-0001", 35.6852, 139.7528, "Asia/Tokyo", 32_400, "JPY"),
        Place("AS", "JP", "Japan", "27", "Osaka", "Osaka", "530-0001", 34.7025, 135.4959, "Asia/Tokyo", 32_400, "JPY"),
        Place(
            "AS", "KR", "South Korea", "11", "Seoul", "Seoul", "04524", 37.5665, 126.9780, "Asia/Seoul", 32_400, "KRW"),
        Place(
            "AS", "SG", "Singapore", "", "Central Singapore", "Singapore", "018989", 1.2834, 103.8607, "Asia/Singapore",
            28_800, "SGD"),
        Place(
            "AS", "IN", "India", "MH", "Maharashtra", "Mumbai", "400001", 18.9388, 72.8354, "Asia/Kolkata", 19_800,
            "INR"),
        Place(
            "AS", "NP", "Nepal", "P3", "Bagmati Province", "Kathmandu", "44600", 27.7172, 85.3240, "Asia/Kathmandu",
            20_700, "NPR"),
        Place(
            "AS", "AE", "United Arab Emirates", "DU", "Dubai", "Dubai", "", 25.2048, 55.2708, "Asia/Dubai", 14_400,
            "AED"),
        Place(
            "AF", "ZA", "South Africa", "GP", "Gauteng", "Johannesburg", "2001", -26.2041, 28.0473,
            "Africa/Johannesburg", 7_200, "ZAR"),
        Place(
            "AF", "KE", "Kenya", "30", "Nairobi County", "Nairobi", "00100", -1.2864, 36.8172, "Africa/Nairobi", 10_800,
            "KES"),
        Place(
            "OC", "AU", "Australia", "NSW", "New South Wales", "Sydney", "2000", -33.8688, 151.2093, "Australia/Sydney",
            36_000, "AUD"),
        Place(
            "OC", "NZ", "New Zealand", "AUK", "Auckland", "Auckland", "1010", -36.8485, 174.7633, "Pacific/Auckland",
            43_200, "NZD"),
    ]
}
