package io.iocluster.rabbit;

import io.iocluster.settings.ConnectionUri;

/** What AMQP makes of a {@link ConnectionUri}. */
final class BrokerAddress {

    private static final int PORT = 5_672;
    private static final int TLS_PORT = 5_671;
    private static final String DEFAULT_LOGIN = "guest";

    private BrokerAddress() {}

    /** What is wrong with the URI, or null. */
    static String problem(ConnectionUri uri) {
        if (!uri.scheme().equals("amqp") && !uri.scheme().equals("amqps")) {
            return "must begin with amqp or amqps: " + uri.scheme();
        }
        return uri.path().contains("/")
                ? "names a virtual host with a slash, which is written %2F: " + uri.path()
                : null;
    }

    static boolean isTls(ConnectionUri uri) {
        return uri.scheme().equals("amqps");
    }

    static int port(ConnectionUri uri) {
        return uri.port() >= 0 ? uri.port() : isTls(uri) ? TLS_PORT : PORT;
    }

    /** A path that is empty names the default one. */
    static String virtualHost(ConnectionUri uri) {
        return uri.path().isEmpty() ? "/" : ConnectionUri.decode(uri.path());
    }

    static String user(ConnectionUri uri) {
        return uri.user().isEmpty() ? DEFAULT_LOGIN : uri.user();
    }

    static String password(ConnectionUri uri) {
        return uri.user().isEmpty() && uri.password().isEmpty() ? DEFAULT_LOGIN : uri.password();
    }
}
