/// The server, the user and the time limit of a connection.
package struct ConnectionSettings: Hashable, Sendable {
    /// A URL without a password, or keywords with values, as libpq understands them ("Connection Strings"). May contain
    /// several hosts, separated by commas. libpq's environment variables apply to what the URL does not contain; only
    /// they can name a service.
    package var url: String
    /// Takes precedence over the password file.
    package var password: DatabasePassword?
    /// The path of a password file ("The Password File"); nil for that of the URL or of libpq, ~/.pgpass.
    package var passwordFile: String?
    /// Shown in pg_stat_activity, unless the URL contains another name.
    package var applicationName: String
    /// The time limit for connecting to any of the servers. Each address gets an equal share of what is left of it, so
    /// that an unreachable one does not use up the time of the others.
    package var connectLimit: Duration

    package init(
        url: String, password: DatabasePassword? = nil, passwordFile: String? = nil,
        applicationName: String = "iprecordd", connectLimit: Duration = .seconds(10)
    ) {
        (self.url, self.password, self.passwordFile) = (url, password, passwordFile)
        (self.applicationName, self.connectLimit) = (applicationName, connectLimit)
    }

    /// The keywords for a connection to one address: those of the URL, and those of the settings.
    ///
    /// Sessions on a standby would not see commits and could not write, so they are refused. A dead peer is detected
    /// within about 11 s, if the kernel supports the settings (tcp(7), TCP_KEEPIDLE and TCP_USER_TIMEOUT). Encryption
    /// by Kerberos is disabled unless the URL contains `gssencmode`, because libpq may block while it looks for a
    /// ticket.
    func keywords(_ parsed: [String: String], for address: ServerAddress) -> [String: String] {
        var keywords = [
            "application_name": applicationName, "keepalives": "1", "keepalives_idle": "5",
            "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000", "gssencmode": "disable",
        ]
        keywords.merge(parsed) { _, given in given }
        // libpq applies this limit to blocking calls only.
        keywords["connect_timeout"] = nil
        keywords["target_session_attrs"] = "read-write"
        keywords["client_encoding"] = "UTF8"
        keywords["host"] = address.host
        keywords["hostaddr"] = address.numericAddress
        keywords["port"] = address.port
        if let password { keywords["password"] = password.secret }
        if let passwordFile { keywords["passfile"] = passwordFile }
        return keywords
    }
}
