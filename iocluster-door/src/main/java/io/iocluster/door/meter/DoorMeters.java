package io.iocluster.door.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Counts the requests of the door. Records nothing before it is bound. Thread-safe. */
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
    private final Supplier<Number> openCalls;
    private final Supplier<Number> bodyBytes;
    private final Supplier<Number> keptAnswers;
    private final Supplier<Number> keptBytes;
    private final Supplier<Number> streams;
    private final Supplier<Number> waiting;
    private final Supplier<Number> unreadBytes;
    private final Supplier<Number> disconnected;
    private volatile MeterRegistry registry;

    private record Label(String route, String status) {}

    /**
     * Creates the meters. Each supplier returns the current value of a gauge.
     *
     * @param bodyBytes bytes of the request bodies that the door holds
     * @param keptBytes total size of the kept answers
     * @param waiting number of requests that wait for the answer to an asynchronous call
     * @param unreadBytes bytes of the responses that callers have not read
     * @param disconnected number of callers that were disconnected because they did not read
     */
    public DoorMeters(
            Supplier<Number> openCalls,
            Supplier<Number> bodyBytes,
            Supplier<Number> keptAnswers,
            Supplier<Number> keptBytes,
            Supplier<Number> streams,
            Supplier<Number> waiting,
            Supplier<Number> unreadBytes,
            Supplier<Number> disconnected) {
        this.openCalls = openCalls;
        this.bodyBytes = bodyBytes;
        this.keptAnswers = keptAnswers;
        this.keptBytes = keptBytes;
        this.streams = streams;
        this.waiting = waiting;
        this.unreadBytes = unreadBytes;
        this.disconnected = disconnected;
    }

    @Override
    public void bindTo(MeterRegistry bound) {
        gauge(bound, "iocluster.door.in.flight", "Calls that the door works on now", openCalls);
        gauge(bound, "iocluster.door.body.bytes", "Bytes of the request bodies that the door holds", bodyBytes);
        gauge(bound, "iocluster.door.kept.answers", "Kept answers to asynchronous calls", keptAnswers);
        gauge(bound, "iocluster.door.kept.bytes", "Bytes of the kept answers", keptBytes);
        gauge(bound, "iocluster.door.streams", "Open streams of answers", streams);
        gauge(bound, "iocluster.door.waiting", "Requests that wait for the answer to an asynchronous call", waiting);
        gauge(bound, "iocluster.door.unread.bytes", "Bytes of the responses that callers have not read", unreadBytes);
        FunctionCounter.builder(
                        "iocluster.door.slow.callers",
                        disconnected,
                        each -> each.get().doubleValue())
                .description("Callers that the door disconnected because they did not read their responses")
                .register(bound);
        registry = bound;
    }

    private static void gauge(MeterRegistry bound, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .strongReference(true)
                .register(bound);
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
