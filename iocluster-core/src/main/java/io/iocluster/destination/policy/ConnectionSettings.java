package io.iocluster.destination.policy;

import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Settings of the connections to a destination. Immutable. */
public record ConnectionSettings(
        @Setting(inherits = "http.connect-timeout", doc = "Longest time to connect, without the TLS handshake.")
        Duration connectTimeout,

        @Setting(inherits = "http.http2", doc = "Whether the node offers HTTP/2 over TLS.")
        boolean http2,

        @Setting(
                value = "false",
                doc = "Whether the node asks for a compressed answer, and decompresses it, if the call has no"
                        + " `Accept-Encoding` header.")
        boolean compression,

        @Setting(
                peer = "the target",
                doc = "The certificates that HTTPS calls trust, and the node's client certificate.")
        TlsSettings tls,

        @Setting(doc = "The proxy that calls go through.") ProxySettings proxy) {

    /** The defaults of the configuration. */
    public static final ConnectionSettings DEFAULTS = new ConnectionSettings(
            HttpSettings.DEFAULTS.connectTimeout(),
            HttpSettings.DEFAULTS.http2(),
            false,
            TlsSettings.DEFAULTS,
            ProxySettings.NONE);

    public ConnectionSettings {
        new SettingsValidator().checkPositive("connect-timeout", connectTimeout).throwIfInvalid();
    }

    /** Returns the profile that the HTTP client connects with. */
    HttpProfile httpProfile() {
        return new HttpProfile(connectTimeout, http2, compression, tls, proxy);
    }
}
