package io.iocluster.http;

import java.time.Duration;

/**
 * Connection settings of one destination.
 *
 * @param connectTimeout longest wait for a connection, without the TLS handshake
 * @param http2 whether HTTP/2 is offered over TLS
 * @param compression whether to ask for compressed responses if the call itself has no {@code Accept-Encoding}
 */
public record HttpProfile(
        Duration connectTimeout, boolean http2, boolean compression, TlsSettings tls, ProxySettings proxy) {

    /** Returns a profile with the values of the {@code http} settings. */
    public static HttpProfile of(HttpSettings settings) {
        return new HttpProfile(
                settings.connectTimeout(), settings.http2(), false, TlsSettings.DEFAULTS, ProxySettings.NONE);
    }
}
