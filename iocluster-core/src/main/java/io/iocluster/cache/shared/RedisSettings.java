package io.iocluster.cache.shared;

import io.iocluster.http.TlsSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.Set;

/** The connection to Valkey or Redis. Immutable. */
public record RedisSettings(
        @Setting(
                value = "\"\"",
                doc = "Address of the server: `redis://host:port/database`, or `rediss://…` with TLS. Empty: no shared"
                        + " cache.")
        String url,

        @Setting(value = "\"\"", doc = "User name. Empty: the server's default user.")
        String username,

        @Setting(value = "\"\"", secret = true, doc = "Password. Empty: none.")
        String password,

        @Setting(peer = "the server", doc = "TLS settings for a `rediss` address.")
        TlsSettings tls) {

    /** The defaults of the configuration: no server. */
    public static final RedisSettings DEFAULTS = new RedisSettings("", "", "", TlsSettings.DEFAULTS);

    private static final int DEFAULT_PORT = 6379;

    public RedisSettings {
        new SettingsValidator()
                .checkParses("url", url, RedisSettings::check)
                .check(
                        username.isEmpty() || !password.isEmpty(),
                        "username",
                        "must not be set without password: " + username)
                .check(
                        tls.isEmpty() || url.startsWith("rediss:"),
                        "tls",
                        "has no effect because url does not start with rediss")
                .throwIfInvalid();
    }

    private static void check(String text) {
        if (text.isEmpty()) {
            return;
        }
        ConnectionUri uri = ConnectionUri.parse(text);
        if (!Set.of("redis", "rediss").contains(uri.scheme())) {
            throw new IllegalArgumentException("must start with redis:// or rediss://");
        }
        if (!uri.user().isEmpty() || !uri.password().isEmpty()) {
            throw new IllegalArgumentException("must not contain a login; set username and password");
        }
        if (!uri.path().matches("\\d{0,5}")) {
            throw new IllegalArgumentException("must end with the number of the database, or without a path");
        }
    }

    /** Returns whether a server is configured. */
    public boolean isConfigured() {
        return !url.isEmpty();
    }

    private ConnectionUri uri() {
        return ConnectionUri.parse(url);
    }

    /** Returns the host of the server. */
    public String host() {
        return uri().host();
    }

    /** Returns the port of the server. */
    public int port() {
        return uri().port() < 0 ? DEFAULT_PORT : uri().port();
    }

    /** Returns the number of the database. */
    public int database() {
        return uri().path().isEmpty() ? 0 : Integer.parseInt(uri().path());
    }

    /** Returns whether the connection uses TLS. */
    public boolean isTls() {
        return uri().scheme().equals("rediss");
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "RedisSettings[" + url + "]";
    }
}
