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
 * Serves the operator console and its files from the jar. The console loads nothing from other servers, and its content security
 * policy forbids it. Stateless.
 */
final class ConsoleFiles {

    /** Path prefix of the console's files; the page itself is at the root. */
    static final String PATH_PREFIX = "/console/";

    private static final String RESOURCES = "/io/iocluster/node/console/";
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

    private ConsoleFiles() {}

    static AdminResponse page(AdminRequest request) {
        return file(request, "index.html", "text/html; charset=utf-8");
    }

    /** Returns the file with a path below {@link #PATH_PREFIX}, or an error 404. */
    static AdminResponse file(AdminRequest request) {
        Matcher name = NAME.matcher(request.path().substring(PATH_PREFIX.length()));
        return name.matches()
                ? file(request, name.group(), TYPES.get(name.group(1)))
                : AdminResponse.error(404, "no such console file: " + request.path());
    }

    private static AdminResponse file(AdminRequest request, String name, String type) {
        byte[] content = read(name);
        if (content == null) {
            return AdminResponse.error(404, "no such console file: " + request.path());
        }
        // The browser revalidates each time, so that page and node have the same version.
        Map<String, String> headers = Map.of(
                "Cache-Control", "no-cache",
                "ETag", tag(content),
                "Content-Security-Policy", POLICY,
                "Cross-Origin-Opener-Policy", "same-origin",
                "Cross-Origin-Resource-Policy", "same-origin",
                "Referrer-Policy", "no-referrer",
                "X-Frame-Options", "DENY");
        return tag(content).equals(request.header("If-None-Match"))
                ? new AdminResponse(304, type, new byte[0], headers)
                : new AdminResponse(200, type, content, headers);
    }

    private static byte[] read(String name) {
        try (InputStream resource = ConsoleFiles.class.getResourceAsStream(RESOURCES + name)) {
            return resource == null ? null : resource.readAllBytes();
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
