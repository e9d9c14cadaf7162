package io.iocluster.lab.load.fault;

import io.iocluster.testkit.target.TargetFault;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Makes a test target misbehave. The target ends it by itself shortly after the planned time, even if this process has died by then.
 * Fails if the URL is that of another HTTP server.
 */
final class TargetFaultAction implements FaultAction {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final int ALL = 100;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final URI target;
    private final TargetFault fault;
    private final String name;
    private final long maxMillis;

    /**
     * @param target URL of the target, without a path
     * @param name the name of the fault, which distinguishes the faults of a target, so that the end of one keeps the others
     * @param longest how long the fault lasts at most
     */
    TargetFaultAction(URI target, TargetFault fault, String name, Duration longest) {
        this.target = target;
        this.fault = fault;
        this.name = name;
        this.maxMillis = Math.min(Integer.MAX_VALUE, longest.plus(MARGIN).toMillis());
    }

    @Override
    public String description() {
        String share = fault.percent() == ALL ? "" : " for " + fault.percent() + " % of the requests";
        return "target " + target.getRawAuthority() + ": "
                + switch (fault.kind()) {
                    case LATENCY -> fault.millis() + " ms more latency" + share;
                    case STATUS -> "status " + fault.status() + share;
                    case HANG -> "no response" + share;
                    case RESET -> "connection reset" + share;
                    case SLOW_BODY -> "a body that takes " + fault.millis() + " ms" + share;
                };
    }

    /** Reaches the target first, because a fault that cannot have started must not be reported as one that is not undone. */
    @Override
    public void prepare() throws IOException, InterruptedException {
        undo();
    }

    @Override
    public void apply() throws IOException, InterruptedException {
        get(fault.path() + "&name=" + name + "&for-ms=" + maxMillis);
    }

    @Override
    public void undo() throws IOException, InterruptedException {
        get("/fault/clear?name=" + name);
    }

    private void get(String path) throws IOException, InterruptedException {
        int status;
        try {
            HttpResponse<InputStream> response = http.send(
                    HttpRequest.newBuilder(target.resolve(path))
                            .timeout(TIMEOUT)
                            .build(),
                    BodyHandlers.ofInputStream());
            status = response.statusCode();
            // Another server may send a body without an end.
            response.body().close();
        } catch (IOException unreachable) {
            throw new IOException(
                    target + " cannot be reached; start a test target with `iocluster load target`", unreachable);
        }
        if (status != 200) {
            throw new IOException(
                    target + " is not a test target of `iocluster load target`: it answers " + status + " to " + path);
        }
    }
}
