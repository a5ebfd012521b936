/// The languages of `city`, `regionName` and `country` that the provider offers (ip-api.com, docs/api:json,
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
