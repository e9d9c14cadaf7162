package io.iocluster.node.config;

import java.net.URI;
import java.net.URISyntaxException;

/** The rules for where telemetry is sent to. */
final class CollectorUrl {

    private CollectorUrl() {}

    /**
     * Checks a URL.
     *
     * @throws IllegalArgumentException if nothing can be sent there; the message goes on from the key's name and does not quote
     *     the URL, which may hold a secret
     */
    static void check(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException unreadable) {
            throw new IllegalArgumentException("must be a URL", unreadable);
        }
        boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (!http || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "must be a URL of http or https, such as http://127.0.0.1:4318/v1/traces");
        }
        if (uri.getUserInfo() != null) {
            throw new IllegalArgumentException("must have no user; put credentials into headers");
        }
    }
}
