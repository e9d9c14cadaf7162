package io.iocluster.node.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of the consoles, from the jar. A console loads nothing from other servers, and its content security policy forbids it. Immutable.
 *
 * @param tag the value of {@code ETag}
 */
public record ConsoleFile(String type, byte[] content, String tag) {

    /** Path prefix of the files. The pages have other paths. */
    public static final String PATH_PREFIX = "/console/";

    private static final String RESOURCES = "/io/iocluster/node/console/";
    private static final String HTML = "text/html; charset=utf-8";
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*\\.(css|js|svg|txt)");
    private static final Map<String, String> TYPES = Map.of(
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "txt", "text/plain; charset=utf-8");
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'");

    /** Returns the page of a node. */
    public static ConsoleFile nodePage() {
        return read("index.html", HTML);
    }

    /** Returns the page of a door. */
    public static ConsoleFile doorPage() {
        return read("door.html", HTML);
    }

    /** Returns the file with this name; null if there is none, or if it is a page. */
    public static ConsoleFile find(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? read(name, TYPES.get(matcher.group(1))) : null;
    }

    /** Returns the headers of a response with this file, without those for its type and length. */
    public Map<String, String> headers() {
        // The browser revalidates each time, so that page and server have the same version.
        return Map.of(
                "Cache-Control", "no-cache",
                "ETag", tag,
                "Content-Security-Policy", POLICY,
                "Cross-Origin-Opener-Policy", "same-origin",
                "Cross-Origin-Resource-Policy", "same-origin",
                "Referrer-Policy", "no-referrer",
                "X-Frame-Options", "DENY");
    }

    private static ConsoleFile read(String name, String type) {
        try (InputStream resource = ConsoleFile.class.getResourceAsStream(RESOURCES + name)) {
            if (resource == null) {
                return null;
            }
            byte[] content = resource.readAllBytes();
            return new ConsoleFile(type, content, tag(content));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(digest, 0, 16) + '"';
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
