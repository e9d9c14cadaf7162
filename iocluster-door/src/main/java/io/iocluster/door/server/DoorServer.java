package io.iocluster.door.server;

import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.listener.HttpListener;
import io.iocluster.door.listener.ListenerSettings;
import io.iocluster.door.listener.ServerCertificate;
import io.iocluster.door.meter.AccessLog;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The HTTP server of the door. Limits every resource that callers use. Thread-safe. Owned by the door. */
public final class DoorServer implements AutoCloseable {

    private static final int MAX_STREAMS = 1_000;

    /** Threads that render the metrics. */
    private static final int PAGE_THREADS = 1;

    /** The request line of a forwarded call contains a URL. */
    private static final int MAX_REQUEST_LINE = 16 * 1024;

    private final HttpListener listener;
    private final OpenResponses responses;

    private DoorServer(HttpListener listener, OpenResponses responses) {
        this.listener = listener;
        this.responses = responses;
    }

    /**
     * Starts the server and binds its address.
     *
     * @param live the current settings; the server uses some only when it starts
     * @param certificate empty without TLS
     * @throws IOException if the address cannot be bound
     */
    public static DoorServer start(
            Supplier<DoorSettings> live,
            Optional<ServerCertificate> certificate,
            DoorRoutes routes,
            AccessControl access,
            BodyBudget bodies,
            AnswerBudget answers,
            AccessLog log,
            Platform platform)
            throws IOException {
        DoorSettings settings = live.get();
        DoorLimits limits = settings.limits();
        OpenResponses responses = new OpenResponses(platform);
        RouteTable table = new RouteTable(routes.entries());
        DoorService service = new DoorService(table, access, new RequestLog(live, log, responses), bodies, answers);
        ListenerSettings listening = new ListenerSettings(
                "door",
                settings.host(),
                settings.port(),
                Runtime.getRuntime().availableProcessors(),
                limits.maxConnections(),
                false,
                limits.bodyTimeout(),
                limits.maxBody().bytes());
        HttpListener listener = HttpListener.start(
                listening,
                certificate,
                new DoorErrorHandler(table),
                service,
                builder -> configure(builder, limits, service));
        return new DoorServer(listener, responses);
    }

    private static void configure(ServerBuilder builder, DoorLimits limits, HttpService service) {
        builder.blockingTaskExecutor(PAGE_THREADS)
                .http1MaxInitialLineLength(MAX_REQUEST_LINE)
                .http1MaxHeaderSize((int) limits.maxHeaders().bytes())
                .http2MaxHeaderListSize(limits.maxHeaders().bytes())
                .http2MaxStreamsPerConnection(MAX_STREAMS)
                .disableDateHeader()
                // The error handler answers timeouts and large bodies, and the service logs defects.
                .unloggedExceptionsReportInterval(Duration.ZERO)
                // Armeria checks Content-Length before the route can raise the limit. The route limits each line.
                .route()
                .path("exact:" + DoorRoutes.BATCH)
                .maxRequestLength(0)
                .build(service);
    }

    /** Returns the address that the server listens on. If the configured port is 0, it has the port that the system chose. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** Waits until the callers have the responses, at most for this time. */
    public void awaitResponses(Duration timeout) throws InterruptedException {
        responses.awaitNone(timeout);
    }

    /** Closes all connections. Does not wait for Armeria's threads, which take seconds to end. */
    @Override
    public void close() {
        listener.close();
    }
}
