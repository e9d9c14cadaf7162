package io.iocluster.http.connection.http1;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Reads the {@code Keep-Alive} header of a response (RFC 2068, section 19.7.1), as Apache, Node.js and uvicorn send it. */
final class KeepAliveHeader {

    /** Maximum time before the announced end, because the target counts from the end of its response and a request needs time to arrive. */
    private static final long MAX_MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_SECONDS = 86_400;

    private KeepAliveHeader() {}

    /** Returns how long the idle connection may be used, in nanoseconds; -1 if the header does not limit it. */
    static long usableNanos(String value) {
        long usable = -1;
        for (String parameter : value.split(",", -1)) {
            String text = parameter.strip().toLowerCase(Locale.ROOT);
            if (text.startsWith("timeout=")) {
                int seconds = number(text.substring("timeout=".length()));
                if (seconds >= 0) {
                    long announced = TimeUnit.SECONDS.toNanos(seconds);
                    usable = announced - Math.min(announced / 2, MAX_MARGIN_NANOS);
                }
            } else if (text.startsWith("max=") && number(text.substring("max=".length())) == 0) {
                return 0;
            }
        }
        return usable;
    }

    /** Returns the number, at most a day of seconds, or -1 if the text is not a number. */
    private static int number(String text) {
        String digits = text.strip();
        if (digits.length() >= 2 && digits.startsWith("\"") && digits.endsWith("\"")) {
            digits = digits.substring(1, digits.length() - 1);
        }
        int number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = Math.min(MAX_SECONDS, number * 10 + digit);
        }
        return digits.isEmpty() ? -1 : number;
    }
}
