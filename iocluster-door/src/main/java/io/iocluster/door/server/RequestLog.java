package io.iocluster.door.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.access.App;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.Problem;
import io.iocluster.door.intake.CallProblems;
import io.iocluster.door.meter.AccessLog;
import java.util.function.Supplier;

/** Records each request when its response has ended, and limits the open ones. Thread-safe. */
final class RequestLog {

    private final Supplier<DoorSettings> settings;
    private final AccessLog log;
    private final OpenResponses open;

    RequestLog(Supplier<DoorSettings> settings, AccessLog log, OpenResponses open) {
        this.settings = settings;
        this.log = log;
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
            log.ended(new AccessLog.Request(
                    route,
                    context.method().name(),
                    app,
                    ended.responseHeaders().status().code(),
                    ended.responseHeaders().get(Problem.CODE_HEADER),
                    ended.responseHeaders().contains(CallProblems.ID_HEADER),
                    ended.totalDurationNanos(),
                    ended.requestLength(),
                    ended.responseLength(),
                    context.remoteAddress().getAddress().getHostAddress()));
        });
        return requests <= settings.get().limits().maxRequests();
    }
}
