/// The fields of an element (ip-api.com, docs/api:json, "Returned data").
enum FieldName: String, CodingKey {
    case query, status, message
    case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
    case timezone, offset, currency, isp, org, `as`, asname, reverse, mobile, proxy, hosting
}
