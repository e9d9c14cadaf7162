package io.iocluster.upstream;

import io.iocluster.egress.TargetUrl;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;

/** Configures the health checks of a destination's upstreams. Immutable. */
public record HealthCheckSettings(
        @Setting(
                value = "\"\"",
                doc = "URL that the node requests from each upstream, such as `https://partner.example/health`,"
                        + " with a host of `match`. Empty: no checks.")
        String url,

        @Setting(value = "5s", doc = "Time between two checks of an upstream.")
        Duration interval,

        @Setting(value = "1s", doc = "Time after which a check fails. At most `interval`.")
        Duration timeout,

        @Setting(value = "[2xx]", doc = "Statuses with which a check passes.")
        List<StatusPattern> statuses,

        @Setting(value = "2", doc = "Passed checks in a row after which an unhealthy upstream gets calls again.")
        int rise,

        @Setting(value = "3", doc = "Failed checks in a row after which an upstream gets no calls.")
        int fall) {

    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);
    private static final Duration MAX_INTERVAL = Duration.ofDays(1);

    /** The defaults of the configuration: no checks. */
    public static final HealthCheckSettings DEFAULTS = new HealthCheckSettings(
            "", Duration.ofSeconds(5), Duration.ofSeconds(1), List.of(StatusPattern.parse("2xx")), 2, 3);

    public HealthCheckSettings {
        statuses = List.copyOf(statuses);
        SettingsValidator validator = new SettingsValidator();
        if (!url.isEmpty()) {
            validator.checkParses("url", url, TargetUrl::parse);
        }
        validator
                .checkRange("interval", interval, MIN_INTERVAL, MAX_INTERVAL)
                .checkPositive("timeout", timeout)
                .check(timeout.compareTo(interval) <= 0, "timeout", "must be at most interval")
                .check(!statuses.isEmpty(), "statuses", "must name at least one status")
                .checkRange("rise", rise, 1, 100)
                .checkRange("fall", fall, 1, 100)
                .throwIfInvalid();
    }

    /** Returns whether the node checks the upstreams. */
    public boolean isEnabled() {
        return !url.isEmpty();
    }

    /** Returns the URL of the checks. Only if they are enabled. */
    public TargetUrl target() {
        return TargetUrl.parse(url);
    }
}
