package io.iocluster.node.metrics;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Registers Micrometer's CPU meters, except two whose names {@code promtool check metrics} rejects. The CPU time of the process is
 * exposed in seconds under the name that other exporters use. The number of CPUs has a name with the suffix of a histogram part, so
 * it is exposed as untyped, for which Prometheus has no naming rule.
 */
final class CpuMeters {

    private static final String COUNT = "system.cpu.count";
    private static final String TIME = "process.cpu.time";

    /** Filter that the registry needs before any meter is registered. */
    static final MeterFilter DENY_MISNAMED =
            MeterFilter.deny(id -> id.getName().equals(COUNT) || id.getName().equals(TIME));

    private CpuMeters() {}

    /**
     * Registers the meters.
     *
     * @param prometheus registry for the metrics that Micrometer's registry denies
     */
    static void bindTo(MeterRegistry registry, PrometheusRegistry prometheus) {
        new ProcessorMetrics().bindTo(registry);
        prometheus.register((Collector) CpuMeters::count);
        FunctionCounter.builder(
                        "process.cpu", registry, unused -> processCpuTime().toNanos() / 1e9)
                .description("CPU time of the process, summed over all CPUs")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Returns the CPU time of the process, summed over all CPUs; zero if the JVM does not report it. */
    static Duration processCpuTime() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Duration.ofNanos(Math.max(0, system.getProcessCpuTime()))
                : Duration.ZERO;
    }

    /** Returns the number of CPUs that the process may use. */
    static int availableCpus() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static UnknownSnapshot count() {
        return UnknownSnapshot.builder()
                .name(COUNT.replace('.', '_'))
                .help("Number of CPUs that the process may use")
                .dataPoint(UnknownDataPointSnapshot.builder()
                        .value(availableCpus())
                        .build())
                .build();
    }
}
