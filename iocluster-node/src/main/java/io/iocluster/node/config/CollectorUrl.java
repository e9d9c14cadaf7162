package io.iocluster.node.config;

import io.iocluster.settings.HttpUrl;
import java.net.URI;

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
        URI uri = HttpUrl.parse(url)
                .orElseThrow(() -> new IllegalArgumentException(
                        "must be an http or https URL, such as http://127.0.0.1:4318/v1/traces"));
        if (uri.getUserInfo() != null) {
            throw new IllegalArgumentException("must not contain a user; put credentials into headers");
        }
    }
}
