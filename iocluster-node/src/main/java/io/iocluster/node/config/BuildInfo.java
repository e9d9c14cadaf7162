package io.iocluster.node.config;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;

/** The version of the program. */
public final class BuildInfo {

    /** The version of the distribution, or {@code unpackaged} if the classes are not in its jar. */
    public static final String VERSION =
            Objects.requireNonNullElse(BuildInfo.class.getPackage().getImplementationVersion(), "unpackaged");

    private BuildInfo() {}

    /** Registers a gauge whose label is the version. */
    public static void bindTo(MeterRegistry registry) {
        Gauge.builder("iocluster.build.info", () -> 1)
                .description("1; the label identifies the version of the program")
                .tag("version", VERSION)
                .register(registry);
    }
}
