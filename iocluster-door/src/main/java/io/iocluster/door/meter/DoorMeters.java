package io.iocluster.door.meter;

import io.iocluster.door.status.DoorStatusReader;
import io.iocluster.door.status.DoorUsage;
import io.iocluster.door.status.DoorUsage.Usage;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.transport.IgnoredInput;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The meters of the door. Records nothing before it is bound. Thread-safe. */
public final class DoorMeters implements MeterBinder {

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(3),
        Duration.ofMillis(10),
        Duration.ofMillis(30),
        Duration.ofMillis(100),
        Duration.ofMillis(300),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final Map<Label, Timer> timers = new ConcurrentHashMap<>();
    private final DoorStatusReader status;
    private final DoorTraffic traffic;
    private final Supplier<Number> disconnected;
    private final Set<String> codes = ConcurrentHashMap.newKeySet();
    private final Map<IgnoredInput, Counter> ignoredInputs = new ConcurrentHashMap<>();
    private final Map<IgnoredInput, Long> countedInputs = new ConcurrentHashMap<>();
    private volatile MeterRegistry registry;
    private volatile DoorAppMeters apps;

    private record Label(String route, String status) {}

    /**
     * Creates the meters.
     *
     * @param status reads the current usage and the apps
     * @param traffic counts the problems
     * @param disconnected returns the number of callers that were disconnected because they did not read
     */
    public DoorMeters(DoorStatusReader status, DoorTraffic traffic, Supplier<Number> disconnected) {
        this.status = status;
        this.traffic = traffic;
        this.disconnected = disconnected;
    }

    @Override
    public void bindTo(MeterRegistry bound) {
        gauge(bound, "iocluster.door.ready", "1 if the door is ready, else 0", () -> status.isReady() ? 1 : 0);
        usage(bound, "in.flight", "Calls that the door works on now", DoorUsage::inFlight);
        usage(bound, "body.bytes", "Bytes of the request bodies that the door holds", DoorUsage::bodyBytes);
        usage(bound, "kept.answers", "Kept answers to asynchronous calls", DoorUsage::keptAnswers);
        usage(bound, "kept.bytes", "Bytes of the kept answers", DoorUsage::keptBytes);
        usage(bound, "streams", "Open streams of answers", DoorUsage::streams);
        usage(bound, "waiting", "Requests that wait for the answer to an asynchronous call", DoorUsage::waiting);
        usage(bound, "unread.bytes", "Bytes of the responses that callers have not read", DoorUsage::unreadBytes);
        FunctionCounter.builder(
                        "iocluster.door.slow.callers",
                        disconnected,
                        each -> each.get().doubleValue())
                .description("Callers that the door disconnected because they did not read their responses")
                .register(bound);
        for (IgnoredInput input : List.of(IgnoredInput.TRACEPARENT, IgnoredInput.TRACESTATE)) {
            // The pipeline of a local door has the same counters.
            Counter counter = Counter.builder("iocluster.ignored.inputs")
                    .description("Parts of messages that are not valid and were ignored")
                    .tag("input", input.label())
                    .register(bound);
            ignoredInputs.put(input, counter);
        }
        apps = new DoorAppMeters(bound);
        registry = bound;
        update();
    }

    /** Registers what is used of a limit, and the limit. */
    private void usage(MeterRegistry bound, String name, String description, Function<DoorUsage, Usage> usage) {
        String whole = "iocluster.door." + name;
        gauge(bound, whole, description, () -> usage.apply(status.usage()).used());
        gauge(
                bound,
                whole + ".limit",
                "Limit of " + whole.replace('.', '_'),
                () -> usage.apply(status.usage()).limit());
    }

    private static void gauge(MeterRegistry bound, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .strongReference(true)
                .register(bound);
    }

    /** Updates the series of the apps and problems. One thread calls it each second. */
    public void update() {
        MeterRegistry bound = registry;
        if (bound != null) {
            apps.update(status.apps());
            ignoredInputs.forEach((input, counter) -> {
                long total = traffic.ignoredInputs(input);
                counter.increment((double) total - Objects.requireNonNullElse(countedInputs.put(input, total), 0L));
            });
            for (String code : traffic.codes()) {
                if (codes.add(code)) {
                    FunctionCounter.builder("iocluster.door.problems", traffic, counted -> counted.problems(code))
                            .description("Problems that callers got instead of an answer")
                            .tag("code", code)
                            .register(bound);
                }
            }
        }
    }

    /**
     * Records a request that has ended.
     *
     * @param route the name of the route, one of a fixed set
     * @param status the status, which the door or the target of a forwarded request chose
     * @param nanos from the request to the end of its response
     */
    public void requestEnded(String route, int status, long nanos) {
        MeterRegistry bound = registry;
        if (bound != null) {
            timers.computeIfAbsent(new Label(route, statusClass(status)), label -> timer(bound, label))
                    .record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Returns a class such as {@code 2xx}, because a target may choose any status. */
    private static String statusClass(int status) {
        return status >= 100 && status < 600 ? status / 100 + "xx" : "none";
    }

    private static Timer timer(MeterRegistry bound, Label label) {
        return Timer.builder("iocluster.door.requests")
                .description("Requests of the door, by route and class of status, until their response ended")
                .tag("route", label.route())
                .tag("status", label.status())
                .serviceLevelObjectives(BUCKETS)
                .register(bound);
    }
}
