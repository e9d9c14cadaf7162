package io.iocluster.node.metrics;

import io.iocluster.transport.outage.ProblemLog;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Sends metrics to a collector, counts how that goes, and says once a minute if it does not. Used by the registry's thread. */
final class InstrumentedMetricsSender implements OtlpMetricsSender {

    private final OtlpMetricsSender sender;
    private final ProblemLog problem = new ProblemLog(LoggerFactory.getLogger(InstrumentedMetricsSender.class), null);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    InstrumentedMetricsSender(Duration timeout) {
        sender = new OtlpHttpMetricsSender(new HttpUrlConnectionSender(timeout, timeout));
    }

    /** How many requests the collector took. From any thread. */
    long sent() {
        return sent.get();
    }

    /** How many it did not take. From any thread. */
    long failed() {
        return failed.get();
    }

    @Override
    public void send(Request request) {
        try {
            sender.send(request);
            sent.incrementAndGet();
            problem.clear();
        } catch (Exception notTaken) {
            failed.incrementAndGet();
            problem.raise("Metrics do not get to " + request.getAddress(), notTaken);
        }
    }
}
