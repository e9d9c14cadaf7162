package io.iocluster.http;

import java.time.Duration;

/**
 * How connections to one destination are made and what is asked of it.
 *
 * @param connectTimeout longest wait for a connection, TLS handshake excluded
 * @param http2 whether HTTP/2 is offered over TLS
 * @param compression whether a compressed answer is asked for where the call itself does not
 */
public record HttpProfile(
        Duration connectTimeout, boolean http2, boolean compression, TlsSettings tls, ProxySettings proxy) {

    /** What holds where a destination has nothing of its own. */
    public static HttpProfile of(HttpSettings settings) {
        return new HttpProfile(
                settings.connectTimeout(), settings.http2(), false, TlsSettings.DEFAULTS, ProxySettings.NONE);
    }
}
