package io.iocluster.door.meter;

import io.iocluster.door.access.App;
import io.iocluster.door.config.AccessLogPolicy;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.traffic.DoorTraffic;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs the requests that have ended, and their problems. Logs no path and no query, because they may contain secrets. Thread-safe. */
public final class AccessLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.iocluster.door.access");
    private static final int FIRST_ERROR = 400;

    private final Supplier<DoorSettings> settings;
    private final DoorMeters meters;
    private final DoorTraffic traffic;

    public AccessLog(Supplier<DoorSettings> settings, DoorMeters meters, DoorTraffic traffic) {
        this.settings = settings;
        this.meters = meters;
        this.traffic = traffic;
    }

    /**
     * A request that has ended.
     *
     * @param route the name of the route, one of a fixed set
     * @param app the caller; null if it is unknown
     * @param status the status of HTTP
     * @param code the code of the problem; null for none
     * @param ofCall whether the problem is the result of a started call, which is counted when that call ends
     * @param nanos from the request to the end of its response
     * @param remote the address of the caller
     */
    public record Request(
            String route,
            String method,
            App app,
            int status,
            String code,
            boolean ofCall,
            long nanos,
            long requestBytes,
            long responseBytes,
            String remote) {}

    /** Records a request. */
    public void ended(Request request) {
        meters.requestEnded(request.route(), request.status(), request.nanos());
        if (request.status() >= FIRST_ERROR && !request.ofCall() && request.code() != null) {
            traffic.problem(request.app() == null ? null : request.app().name(), request.code());
        }
        AccessLogPolicy policy = settings.get().accessLog();
        if (policy == AccessLogPolicy.ALL || (policy == AccessLogPolicy.ERRORS && request.status() >= FIRST_ERROR)) {
            LOG.info(
                    "Request ended route={} method={} app={} status={} code={} ms={} requestBytes={} responseBytes={}"
                            + " remote={}",
                    request.route(),
                    request.method(),
                    request.app() == null ? "-" : request.app().name(),
                    request.status(),
                    request.code() == null ? "-" : request.code(),
                    request.nanos() / 1_000_000,
                    request.requestBytes(),
                    request.responseBytes(),
                    request.remote());
        }
    }
}
