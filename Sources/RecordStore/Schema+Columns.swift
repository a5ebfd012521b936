/// The columns that schemas after the ninth have added.
extension Schema {
    static let tenth = """
        -- When the client's watch ends by itself, in Unix milliseconds; NULL if it does not.
        ALTER TABLE entry ADD COLUMN watched_until INTEGER;
        -- The time that history_elapsed in meta must have reached as well; NULL if the watch does not end.
        ALTER TABLE entry ADD COLUMN watched_until_elapsed INTEGER;
        """

    static let eleventh = """
        -- The version of the local databases from which the records were read; NULL for a remote provider.
        ALTER TABLE scan ADD COLUMN version INTEGER;
        """
}
