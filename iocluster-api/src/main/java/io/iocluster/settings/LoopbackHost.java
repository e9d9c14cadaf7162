package io.iocluster.settings;

import java.util.regex.Pattern;

/** Recognizes the loopback addresses by their text. Other names are not resolved. Stateless. */
public final class LoopbackHost {

    private static final Pattern AUTHORITY =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);

    private LoopbackHost() {}

    /** Returns whether the host is a loopback address or {@code localhost}. */
    public static boolean matches(String host) {
        return host.equals("localhost")
                || host.equals("::1")
                || host.equals("[::1]")
                || host.matches("127(\\.\\d{1,3}){3}");
    }

    /**
     * Returns whether a request asked for a loopback host. A web page whose DNS name was rebound to this machine asks for that DNS name.
     *
     * @param authority the host and port of the request; null for none
     */
    public static boolean isAskedFor(String authority) {
        return authority != null && AUTHORITY.matcher(authority).matches();
    }
}
