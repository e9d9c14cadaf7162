package io.iocluster.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Parses the URLs of HTTP servers that an operator names. Stateless. */
public final class HttpUrl {

    private HttpUrl() {}

    /** Returns the URL; empty if the text is not an absolute {@code http} or {@code https} URL with a host. */
    public static Optional<URI> parse(String text) {
        try {
            URI url = new URI(text);
            boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            return isHttp && url.getHost() != null ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException invalid) {
            return Optional.empty();
        }
    }

    /**
     * Checks that the text is such a URL.
     *
     * @throws IllegalArgumentException if it is not; the message follows the key
     */
    public static void check(String text) {
        if (parse(text).isEmpty()) {
            throw new IllegalArgumentException("is not a URL such as http://127.0.0.1:8080: " + text);
        }
    }
}
