package io.iocluster.node.tracing;

import io.iocluster.thread.NodeClock;
import io.iocluster.transport.outage.ProblemLog;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Counts exported and failed spans, and logs failures at most once a minute. Thread-safe. */
final class InstrumentedSpanExporter implements SpanExporter {

    private final SpanExporter exporter;
    private final String url;
    private final ProblemLog problem;
    private final AtomicLong exported = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /**
     * Wraps an exporter, which is closed with this one.
     *
     * @param url the collector, for the log
     */
    InstrumentedSpanExporter(SpanExporter exporter, String url, NodeClock clock) {
        this.exporter = exporter;
        this.url = url;
        this.problem = new ProblemLog(LoggerFactory.getLogger(InstrumentedSpanExporter.class), null, clock);
    }

    long exported() {
        return exported.get();
    }

    long failed() {
        return failed.get();
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            if (result.isSuccess()) {
                exported.addAndGet(count);
                problem.clear();
            } else {
                failed.addAndGet(count);
                raise(result.getFailureThrowable());
            }
        });
    }

    private void raise(Throwable failure) {
        String what = "Span export failed url=" + url;
        if (failure instanceof HttpExportException http && http.failedWithResponse()) {
            problem.raise(what + " status=" + http.getResponse().getStatusCode(), null);
        } else {
            problem.raise(what, failure);
        }
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
