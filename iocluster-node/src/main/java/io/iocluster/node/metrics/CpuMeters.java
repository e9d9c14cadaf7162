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
 * The CPU's meters: Micrometer's, but for two that Prometheus' rules for names refuse ({@code promtool check metrics}). The
 * process's time is counted in seconds, under the name that all exporters give it, and the number of CPUs, whose name ends
 * like a histogram's part, is shown without a type, of which nothing is asked.
 */
final class CpuMeters {

    private static final String COUNT = "system.cpu.count";
    private static final String TIME = "process.cpu.time";

    /** What Prometheus' registry must be given before it is given any meter. */
    static final MeterFilter DENY_MISNAMED =
            MeterFilter.deny(id -> id.getName().equals(COUNT) || id.getName().equals(TIME));

    private CpuMeters() {}

    /**
     * Adds the meters.
     *
     * @param prometheus takes what that registry denies
     */
    static void bindTo(MeterRegistry registry, PrometheusRegistry prometheus) {
        new ProcessorMetrics().bindTo(registry);
        prometheus.register((Collector) CpuMeters::count);
        FunctionCounter.builder("process.cpu", registry, any -> processCpuTime().toNanos() / 1e9)
                .description("CPU time of the process, of all CPUs together")
                .baseUnit("seconds")
                .register(registry);
    }

    /** CPU time of the process so far, of all CPUs together; zero where the JVM cannot say. */
    static Duration processCpuTime() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Duration.ofNanos(Math.max(0, system.getProcessCpuTime()))
                : Duration.ZERO;
    }

    /** CPUs that the process may use. */
    static int availableCpus() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static UnknownSnapshot count() {
        return UnknownSnapshot.builder()
                .name(COUNT.replace('.', '_'))
                .help("CPUs that the process may use")
                .dataPoint(UnknownDataPointSnapshot.builder()
                        .value(availableCpus())
                        .build())
                .build();
    }
}
