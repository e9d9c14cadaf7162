package io.iocluster.http.servers;

import java.util.Arrays;

/** HTTP and TLS versions of the connections to a server. */
enum Protocol {
    H1("h1", "h1", ""),
    H1_TLS12("h1-tls1.2", "h1s", "1.2"),
    H1_TLS13("h1-tls1.3", "h1s", "1.3"),
    H2_TLS12("h2-tls1.2", "h2", "1.2"),
    H2_TLS13("h2-tls1.3", "h2", "1.3");

    private final String label;
    private final String mode;
    private final String tls;

    Protocol(String label, String mode, String tls) {
        this.label = label;
        this.mode = mode;
        this.tls = tls;
    }

    /** Returns the protocol with this label. */
    static Protocol of(String label) {
        return Arrays.stream(values())
                .filter(protocol -> protocol.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown protocol: " + label));
    }

    String label() {
        return label;
    }

    /** Returns {@code h1}, {@code h1s} or {@code h2}: the name in keys and arguments of servers. */
    String mode() {
        return mode;
    }

    /** Returns {@code 1.2} or {@code 1.3}, or an empty string without TLS. */
    String tls() {
        return tls;
    }

    boolean isHttp2() {
        return mode.equals("h2");
    }

    boolean isTls() {
        return !tls.isEmpty();
    }

    String scheme() {
        return isTls() ? "https" : "http";
    }
}
