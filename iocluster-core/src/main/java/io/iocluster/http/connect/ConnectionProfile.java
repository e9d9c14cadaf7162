package io.iocluster.http.connect;

import io.iocluster.http.HttpProfile;
import io.netty.handler.ssl.SslContext;

/**
 * Settings and TLS contexts for connections to the hosts with one profile. Immutable.
 *
 * @param tls the context for HTTPS targets, which offers HTTP/2 if the profile does
 * @param tlsHttp1 the same context without HTTP/2
 */
public record ConnectionProfile(HttpProfile settings, SslContext tls, SslContext tlsHttp1) {

    /** Returns whether connections go through a proxy. */
    public boolean isProxied() {
        return settings.proxy().isEnabled();
    }
}
