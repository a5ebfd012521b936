import ArgumentParser

/// Options for the form of the fields that are added to lines.
struct EnrichOptions: ParsableArguments {
    @Option(name: .customLong("format"), help: "The format of the lines (default: text).")
    private var givenFormat: LineFormat?

    @Option(
        help: ArgumentHelp(
            "Add this field; can be repeated (default: \(EnrichOptions.defaultFields.joined(separator: ", "))).",
            valueName: "name"), completion: .fields)
    var field: [String] = []

    @Option(
        help: ArgumentHelp(
            "Text: the form of the annotations, with fields in braces: \"({countryCode}, {isp})\".",
            valueName: "template"), transform: { try EnrichOptions.template($0) })
    var template: LineTemplate?

    @Flag(help: "Text: put the annotation after each address, not at the end of the line.")
    var inline = false

    @Option(
        help: ArgumentHelp(
            "CSV: enrich the address in this column; can be repeated (default: the first known address of a row).",
            valueName: "name"))
    var column: [String] = []

    @Flag(help: "CSV: the first row is not a header.")
    var noHeaders = false

    static let defaultFields = ["countryCode", "city", "asn", "isp"]

    func validate() throws {
        try Choice.check("field", field + (template?.names ?? []), in: FieldValues.names)
        guard field.isEmpty || template == nil else { throw ValidationError("give --field or --template, not both") }
        guard format == .text || !inline && template == nil else {
            throw ValidationError("--inline and --template are for --format text")
        }
        guard format == .csv || column.isEmpty && !noHeaders else {
            throw ValidationError("--column and --no-headers require --format csv")
        }
        guard column.isEmpty || !noHeaders else { throw ValidationError("--column requires a header") }
        var seen: Set<String> = []
        if let name = column.first(where: { !seen.insert($0).inserted }) {
            throw ValidationError("the column \(LineError.quoted(name)) is given twice")
        }
    }

    var format: LineFormat { givenFormat ?? .text }

    /// The fields and their form.
    var addition: FieldAddition {
        var seen: Set<String> = []
        let fields = field.isEmpty ? Self.defaultFields : field.filter { seen.insert($0).inserted }
        var addition = FieldAddition(format, names: template?.names ?? fields)
        addition.template = template
        addition.placement = inline ? .inline : .end
        return addition
    }

    private static func template(_ text: String) throws -> LineTemplate {
        do throws(LineTemplate.ParseError) {
            return try LineTemplate(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
