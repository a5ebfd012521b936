/// A set of paths to values, as a tree of their keys.
///
///     let tree = PathTree(["country.iso_code", "country.names.*", "subdivisions.0.iso_code"])
///
/// A path consists of keys, separated by dots. `0` is the first element of an array. `*` is the English name in a map
/// of names by language, or the first name if there is no English one.
struct PathTree {
    private(set) var children: [(key: [UInt8], tree: PathTree)] = []
    /// The index of the path that ends here.
    private(set) var path: Int?
    /// The index of the path that ends with `*` here.
    private(set) var names: Int?
    /// The tree of the first element of an array.
    private(set) var element: [PathTree] = []

    init(_ paths: [String]) {
        for (index, path) in paths.enumerated() { insert(path.split(separator: ".")[...], index) }
    }

    private init() {}

    /// The tree of a single path, which ends here.
    static func leaf(_ path: Int) -> PathTree {
        var tree = PathTree()
        tree.path = path
        return tree
    }

    private mutating func insert(_ keys: ArraySlice<Substring>, _ index: Int) {
        guard let key = keys.first else {
            path = index
            return
        }
        switch key {
        case "*": names = index
        case "0":
            if element.isEmpty { element = [PathTree()] }
            element[0].insert(keys.dropFirst(), index)
        default:
            let bytes = Array(key.utf8)
            let position = children.firstIndex { $0.key == bytes } ?? children.count
            if position == children.count { children.append((bytes, PathTree())) }
            children[position].tree.insert(keys.dropFirst(), index)
        }
    }
}
