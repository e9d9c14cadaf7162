package io.iocluster.lab.load.experiment;

import java.net.URI;
import java.util.Locale;

/** Checks URLs of servers that a run asks. */
final class HttpUrl {

    private HttpUrl() {}

    /** @throws IllegalArgumentException if the text is no URL of an HTTP server; the message follows the key */
    static void check(String text) {
        if (!isValid(text)) {
            throw new IllegalArgumentException("is not a URL such as http://127.0.0.1:8080: " + text);
        }
    }

    private static boolean isValid(String text) {
        try {
            URI url = URI.create(text);
            String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            return (scheme.equals("http") || scheme.equals("https")) && url.getHost() != null;
        } catch (IllegalArgumentException invalid) {
            return false;
        }
    }
}
