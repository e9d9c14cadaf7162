package io.iocluster.http;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Configures the proxy for calls. */
public record ProxySettings(
        @Setting(
                value = "none",
                doc = "`http`: https URLs use a `CONNECT` tunnel, http URLs are sent to the proxy as a whole."
                        + " `socks5`: both use a tunnel.")
        Type type,

        @Setting(value = "\"\"", doc = "Host name or address of the proxy. The egress policy does not apply to it.")
        String host,

        @Setting(value = "0", doc = "Port of the proxy.") int port,

        @Setting(value = "\"\"", doc = "User name for the proxy. Empty: no authentication.")
        String username,

        @Setting(value = "\"\"", secret = true, doc = "Password of the user.")
        String password) {

    public static final ProxySettings NONE = new ProxySettings(Type.NONE, "", 0, "", "");

    public ProxySettings {
        boolean used = type != Type.NONE;
        new SettingsValidator()
                .check(used || host.isEmpty(), "type", "must be set if host is set")
                .check(!used || !host.isBlank(), "host", "must be set if type is set")
                .check(
                        host.chars().allMatch(c -> c < 0x80),
                        "host",
                        "must be ASCII; write a name beyond it as xn--…: " + host)
                .check(!used || (port >= 1 && port <= 65_535), "port", "must be from 1 to 65535: " + port)
                .check(!username.isEmpty() || password.isEmpty(), "username", "must be set if password is set")
                .throwIfInvalid();
    }

    public boolean isEnabled() {
        return type != Type.NONE;
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "ProxySettings[" + type + " " + host + ":" + port + (username.isEmpty() ? "" : ", " + username) + "]";
    }

    /** Protocol of a proxy. */
    public enum Type {
        NONE,
        HTTP,
        SOCKS5
    }
}
