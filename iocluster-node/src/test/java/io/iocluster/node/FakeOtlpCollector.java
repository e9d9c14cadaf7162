package io.iocluster.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** An OpenTelemetry collector that stores or rejects what it receives with OTLP over HTTP. Thread-safe. */
public final class FakeOtlpCollector implements AutoCloseable {

    private final HttpServer server;
    private final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
    private final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile int refused;

    public FakeOtlpCollector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        server.createContext("/", this::take);
        server.start();
    }

    public String tracesUrl() {
        return url("/v1/traces");
    }

    public String metricsUrl() {
        return url("/v1/metrics");
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Sets the status of all further responses; only with 200 it stores the data. */
    public void answer(int next) {
        status = next;
    }

    /** Returns the number of rejected requests. */
    public int refused() {
        return refused;
    }

    /** Returns the header {@code Authorization} of each request, or {@code none}. */
    public List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    public List<ExportTraceServiceRequest> traces() {
        return List.copyOf(traces);
    }

    /** Returns all spans so far. */
    public List<Span> spans() {
        return traces.stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    public List<ExportMetricsServiceRequest> metrics() {
        return List.copyOf(metrics);
    }

    /** Returns all metrics of one export. */
    public static List<Metric> in(ExportMetricsServiceRequest request) {
        return request.getResourceMetricsList().stream()
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .toList();
    }

    private synchronized void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            byte[] bytes = (zipped ? new GZIPInputStream(body) : body).readAllBytes();
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            authorizations.add(authorization == null ? "none" : authorization);
            if (status != 200) {
                refused++;
            } else if (exchange.getRequestURI().getPath().endsWith("traces")) {
                traces.add(ExportTraceServiceRequest.parseFrom(bytes));
            } else {
                metrics.add(ExportMetricsServiceRequest.parseFrom(bytes));
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
