package io.iocluster.node.config;

import java.net.URI;
import java.net.URISyntaxException;

/** Validates the URL of a telemetry collector. */
final class CollectorUrl {

    private CollectorUrl() {}

    /**
     * Checks that the URL is an absolute {@code http} or {@code https} URL without user info.
     *
     * @throws IllegalArgumentException if it is not; the message continues a sentence that starts with the key's name,
     *     and does not quote the URL, which may contain a secret
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
            throw new IllegalArgumentException("must be an http or https URL, such as http://127.0.0.1:4318/v1/traces");
        }
        if (uri.getUserInfo() != null) {
            throw new IllegalArgumentException("must not contain a user; put credentials into headers");
        }
    }
}
