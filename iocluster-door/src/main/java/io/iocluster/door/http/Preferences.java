package io.iocluster.door.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.time.Duration;
import java.util.Locale;

/**
 * What a caller asks for in {@code Prefer} (RFC 7240). Unknown and invalid preferences are ignored, as the RFC says.
 *
 * @param respondAsync whether the caller does not want to wait for the answer
 * @param maxWait how long the caller wants to wait; null if it does not say
 */
public record Preferences(boolean respondAsync, Duration maxWait) {

    /** Reads the preferences of a request. */
    public static Preferences of(RequestHeaders headers) {
        boolean async = false;
        Duration wait = null;
        for (String line : headers.getAll(HttpHeaderNames.PREFER)) {
            for (String each : line.split(",", -1)) {
                String preference = each.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
                if (preference.equals("respond-async")) {
                    async = true;
                } else if (preference.matches("wait=\\d{1,6}")) {
                    wait = Duration.ofSeconds(Long.parseLong(preference.substring("wait=".length())));
                }
            }
        }
        return new Preferences(async, wait);
    }
}
