package io.iocluster.rabbit.config;

import io.iocluster.settings.ConnectionUri;

/** Reads a {@link ConnectionUri} as an AMQP URI and applies AMQP's defaults. Stateless. */
public final class AmqpUri {

    private static final int PORT = 5_672;
    private static final int TLS_PORT = 5_671;
    private static final String DEFAULT_LOGIN = "guest";

    private AmqpUri() {}

    /** Returns what is wrong with the URI, or null. */
    static String problem(ConnectionUri uri) {
        if (!uri.scheme().equals("amqp") && !uri.scheme().equals("amqps")) {
            return "must start with amqp or amqps: " + uri.scheme();
        }
        return uri.path().contains("/") ? "has a slash in the virtual host; write %2F: " + uri.path() : null;
    }

    public static boolean isTls(ConnectionUri uri) {
        return uri.scheme().equals("amqps");
    }

    public static int port(ConnectionUri uri) {
        return uri.port() >= 0 ? uri.port() : isTls(uri) ? TLS_PORT : PORT;
    }

    /** Returns the virtual host, {@code /} if the path is empty. */
    public static String virtualHost(ConnectionUri uri) {
        return uri.path().isEmpty() ? "/" : ConnectionUri.percentDecode(uri.path());
    }

    public static String user(ConnectionUri uri) {
        return uri.user().isEmpty() ? DEFAULT_LOGIN : uri.user();
    }

    public static String password(ConnectionUri uri) {
        return uri.user().isEmpty() && uri.password().isEmpty() ? DEFAULT_LOGIN : uri.password();
    }
}
