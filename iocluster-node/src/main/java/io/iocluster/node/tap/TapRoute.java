package io.iocluster.node.tap;

import com.linecorp.armeria.common.QueryParams;
import io.iocluster.node.admin.AdminException;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.admin.AdminResponse;
import io.iocluster.node.admin.AdminRoute;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code GET /api/tap}: opens a tap and streams its calls. Thread-safe. */
public final class TapRoute {

    private static final String CONTENT_TYPE = "application/x-ndjson";
    private static final Set<String> PARAMETERS =
            new TreeSet<>(List.of("destination", "outcome", "code", "id", "rate", "duration"));

    private final CallTaps taps;

    private TapRoute(CallTaps taps) {
        this.taps = taps;
    }

    /** Returns the route. */
    public static AdminRoute of(CallTaps taps) {
        return AdminRoute.get("/api/tap", Access.READER, new TapRoute(taps)::open);
    }

    private AdminResponse open(AdminRequest request) {
        QueryParams query = request.query();
        query.names().stream()
                .filter(name -> !PARAMETERS.contains(name))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new AdminException(
                            400, "unknown parameter: " + unknown + "; known: " + String.join(", ", PARAMETERS));
                });
        TapFilter filter =
                TapFilter.parse(all(query, "destination"), all(query, "outcome"), all(query, "code"), all(query, "id"));
        Rate rate = rate(query.get("rate", "10/s"));
        Duration duration = duration(query.get("duration"));
        return AdminResponse.stream(CONTENT_TYPE, taps.stream(taps.open(filter, rate), duration));
    }

    private static String all(QueryParams query, String name) {
        return String.join(",", query.getAll(name));
    }

    private Rate rate(String text) {
        Rate rate = parse("rate", text, Rate::parse);
        Rate max = taps.settings().maxRate();
        if (rate.isUnlimited() || perSecond(rate) > perSecond(max)) {
            throw new AdminException(400, "rate must be at most admin.tap.max-rate, " + max + ": " + text);
        }
        return rate;
    }

    private static double perSecond(Rate rate) {
        return rate.count() * 1e9 / rate.per().toNanos();
    }

    private Duration duration(String text) {
        Duration max = taps.settings().maxDuration();
        if (text == null) {
            return max;
        }
        Duration duration = parse("duration", text, DurationText::parse);
        if (duration.isNegative() || duration.compareTo(max) > 0) {
            throw new AdminException(
                    400, "duration must be at most admin.tap.max-duration, " + DurationText.format(max) + ": " + text);
        }
        return duration;
    }

    @FunctionalInterface
    private interface Parser<T> {
        T parse(String text);
    }

    private static <T> T parse(String name, String text, Parser<T> parser) {
        try {
            return parser.parse(text);
        } catch (IllegalArgumentException | ArithmeticException wrong) {
            throw new AdminException(400, name + ": " + wrong.getMessage());
        }
    }
}
