package io.iocluster.node.metrics;

import io.iocluster.thread.NodeClock;
import io.iocluster.transport.outage.ProblemLog;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Sends metrics to a collector, counts successes and failures, and logs failures once a minute. Confined to the registry's thread. */
final class InstrumentedMetricsSender implements OtlpMetricsSender {

    private final OtlpMetricsSender sender;
    private final ProblemLog problem;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    InstrumentedMetricsSender(Duration timeout, NodeClock clock) {
        problem = new ProblemLog(LoggerFactory.getLogger(InstrumentedMetricsSender.class), null, clock);
        sender = new OtlpHttpMetricsSender(new HttpUrlConnectionSender(timeout, timeout));
    }

    /** Returns the number of requests that the collector accepted. Thread-safe. */
    long sent() {
        return sent.get();
    }

    /** Returns the number of failed requests. Thread-safe. */
    long failed() {
        return failed.get();
    }

    @Override
    public void send(Request request) {
        try {
            sender.send(request);
            sent.incrementAndGet();
            problem.clear();
        } catch (Exception error) {
            failed.incrementAndGet();
            problem.raise("Metrics export failed url=" + request.getAddress(), error);
        }
    }
}
