package io.iocluster.door.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.access.App;
import io.iocluster.door.config.AccessLogPolicy;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.meter.DoorMeters;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs each request when its response has ended. Logs no path and no query, because they may contain secrets. Thread-safe. */
final class RequestLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.iocluster.door.access");
    private static final int FIRST_ERROR = 400;

    private final Supplier<DoorSettings> settings;
    private final DoorMeters meters;
    private final OpenResponses open;

    RequestLog(Supplier<DoorSettings> settings, DoorMeters meters, OpenResponses open) {
        this.settings = settings;
        this.meters = meters;
        this.open = open;
    }

    /**
     * Records the request when it ends.
     *
     * @param app the caller; null if it is unknown
     * @return false if too many requests are open and this one must be refused
     */
    boolean start(ServiceRequestContext context, String route, App app) {
        int requests = open.start();
        context.log().whenComplete().thenAccept(ended -> {
            open.end();
            int status = ended.responseHeaders().status().code();
            meters.requestEnded(route, status, ended.totalDurationNanos());
            AccessLogPolicy policy = settings.get().accessLog();
            if (policy == AccessLogPolicy.ALL || (policy == AccessLogPolicy.ERRORS && status >= FIRST_ERROR)) {
                LOG.info(
                        "Request ended route={} method={} app={} status={} code={} ms={} requestBytes={} responseBytes={}"
                                + " remote={}",
                        route,
                        context.method(),
                        app == null ? "-" : app.name(),
                        status,
                        ended.responseHeaders().get("iocluster-code", "-"),
                        ended.totalDurationNanos() / 1_000_000,
                        ended.requestLength(),
                        ended.responseLength(),
                        context.remoteAddress().getAddress().getHostAddress());
            }
        });
        return requests <= settings.get().limits().maxRequests();
    }
}
