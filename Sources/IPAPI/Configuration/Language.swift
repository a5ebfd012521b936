/// The languages that the provider offers for `city`, `regionName` and `country` (ip-api.com, docs/api:json,
/// "Localization").
package enum Language: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    case spanish = "es"
    case portuguese = "pt-BR"
    case french = "fr"
    case japanese = "ja"
    case chinese = "zh-CN"
    case russian = "ru"
}
