package io.iocluster.settings;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address and login of a server, written as {@code scheme://user:password@host:port/path}. Neither {@link #toString}
 * nor an error message shows the password.
 *
 * @param scheme in lower case
 * @param user empty if there is none
 * @param password empty if there is none
 * @param host a name or an address; IPv6 without brackets
 * @param port negative if there is none
 * @param path the part after the authority's slash, still percent-encoded; empty if there is none
 */
public record ConnectionUri(String scheme, String user, String password, String host, int port, String path) {

    private static final Pattern TEXT = Pattern.compile(
            "(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://(?:(?<user>[^:@/?#\\s]*)(?::(?<password>[^@/?#\\s]*))?@)?"
                    + "(?:\\[(?<v6>[0-9a-fA-F:.]+)]|(?<host>[a-zA-Z0-9._-]+))(?::(?<port>\\d{1,5}))?(?:/(?<path>[^?#\\s]*))?");
    private static final Pattern ENCODED = Pattern.compile("(?:[^%]|%[0-9a-fA-F]{2})*");
    private static final String INVALID =
            "not a URI such as scheme://user:password@host:port/path, with %xx for special characters in its parts";

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if the text is not such a URI, has a query or a fragment, or a port outside 1 to
     *     65535; the message never quotes the text
     */
    public static ConnectionUri parse(String text) {
        Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches() || !ENCODED.matcher(text.trim()).matches()) {
            throw new IllegalArgumentException(INVALID);
        }
        int port = matcher.group("port") == null ? -1 : Integer.parseInt(matcher.group("port"));
        if (port == 0 || port > 65_535) {
            throw new IllegalArgumentException("port of the URI must be from 1 to 65535: " + port);
        }
        String host = matcher.group("host") == null ? matcher.group("v6") : matcher.group("host");
        return new ConnectionUri(
                matcher.group("scheme").toLowerCase(Locale.ROOT),
                percentDecode(matcher.group("user")),
                percentDecode(matcher.group("password")),
                host,
                port,
                matcher.group("path") == null ? "" : matcher.group("path"));
    }

    /** Percent-decodes one part; returns an empty string for null. */
    public static String percentDecode(String part) {
        // A plus sign means a space only in a query.
        return part == null ? "" : URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Returns {@code host:port}, with brackets around an IPv6 address; only the host if there is no port. */
    public String address() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port < 0 ? name : name + ":" + port;
    }

    /** Returns the URI with {@code ***} in place of the password. */
    @Override
    public String toString() {
        String login = user.isEmpty() && password.isEmpty() ? "" : user + (password.isEmpty() ? "@" : ":***@");
        return scheme + "://" + login + address() + (path.isEmpty() ? "" : "/" + path);
    }
}
