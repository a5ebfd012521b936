/// A configured file with the version that is in use, and the failure of its present version.
struct GeoDatabaseSlot {
    let path: String
    private(set) var database: OpenDatabase?
    private(set) var failure: Failure?

    struct Failure {
        let error: GeoDatabaseError
        /// The version of the file that was read; nil if reading it again may succeed.
        let identity: FileIdentity?
    }

    init(path: String) {
        self.path = path
    }

    /// Opens the file if it is new or has changed. Returns the difference; nil if there is none.
    mutating func reload(maxFileBytes: Int) -> GeoDatabaseChange? {
        let identity = FileIdentity.ofFile(at: path)
        if let database, database.identity == identity {
            defer { failure = nil }
            return failure == nil ? nil : .restored(database.file)
        }
        if let failed = failure?.identity, failed == identity { return nil }
        do throws(GeoDatabaseError) {
            let new = try OpenDatabase(path: path, maxBytes: maxFileBytes)
            let old = database
            database = new
            failure = nil
            return old.map { .replaced($0.file, with: new.file) } ?? .opened(new.file)
        } catch {
            let isKnown = failure?.error == error
            failure = Failure(error: error, identity: error.isOfTheContents ? identity : nil)
            return isKnown ? nil : .failed(error, kept: database?.file)
        }
    }
}
