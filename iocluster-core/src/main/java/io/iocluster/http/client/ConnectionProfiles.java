package io.iocluster.http.client;

import io.iocluster.http.HttpProfile;
import io.iocluster.http.connect.ConnectionProfile;
import io.netty.handler.ssl.SslContext;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLException;

/** Reads the TLS files of each profile once. Confined to one event loop. */
final class ConnectionProfiles {

    private final Map<HttpProfile, ConnectionProfile> profiles = new HashMap<>();
    private final SslContext trust;

    /** @param trust the context for profiles without TLS settings, with ALPN; null for the JDK's default */
    ConnectionProfiles(SslContext trust) {
        this.trust = trust;
    }

    /**
     * Returns the profile with its TLS contexts.
     *
     * @throws SSLException if the TLS files of the profile are not usable any more
     */
    ConnectionProfile get(HttpProfile settings) throws SSLException {
        ConnectionProfile known = profiles.get(settings);
        if (known == null) {
            known = create(settings);
            profiles.put(settings, known);
        }
        return known;
    }

    private ConnectionProfile create(HttpProfile settings) throws SSLException {
        if (trust != null && settings.tls().isEmpty()) {
            return new ConnectionProfile(settings, trust, trust);
        }
        SslContext http1 = settings.tls().newSslContext(false);
        return new ConnectionProfile(settings, settings.http2() ? settings.tls().newSslContext(true) : http1, http1);
    }
}
