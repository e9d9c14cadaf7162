package io.iocluster.http;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** The proxy that calls go through. */
public record ProxySettings(
        @Setting(
                value = "none",
                doc = "`http`: a tunnel by `CONNECT` for https URLs, the whole URL to the proxy for http ones."
                        + " `socks5`: a tunnel for both.")
        Type type,

        @Setting(value = "\"\"", doc = "Its name or address. The egress policy does not judge it.")
        String host,

        @Setting(value = "0", doc = "Its port.") int port,

        @Setting(value = "\"\"", doc = "The user that it is told; empty: none.")
        String username,

        @Setting(value = "\"\"", secret = true, doc = "The user's password.")
        String password) {

    public static final ProxySettings NONE = new ProxySettings(Type.NONE, "", 0, "", "");

    public ProxySettings {
        boolean used = type != Type.NONE;
        new SettingsValidator()
                .check(used || host.isEmpty(), "type", "must be set, for there is a host")
                .check(!used || !host.isBlank(), "host", "must be set, for there is a type")
                .check(!used || (port >= 1 && port <= 65_535), "port", "must be from 1 to 65535: " + port)
                .check(!username.isEmpty() || password.isEmpty(), "username", "must be set, for there is a password")
                .throwIfInvalid();
    }

    public boolean isEnabled() {
        return type != Type.NONE;
    }

    /** Everything but the password. */
    @Override
    public String toString() {
        return "ProxySettings[" + type + " " + host + ":" + port + (username.isEmpty() ? "" : ", " + username) + "]";
    }

    /** What a proxy speaks. */
    public enum Type {
        NONE,
        HTTP,
        SOCKS5
    }
}
