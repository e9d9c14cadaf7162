package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A node that a test has started, in the process of the test or in another one. Owned by one test. */
public interface RunningNode extends AutoCloseable {

    /** A node that exits fails at once. On an overloaded machine a JVM may need more than a minute until its first log line. */
    Duration STARTUP = Duration.ofMinutes(3);

    HttpClient CLIENT = HttpClient.newHttpClient();

    /** Returns the URL of the admin server. Waits until it is known. */
    String adminUrl();

    boolean isAlive();

    /** Drains the node and waits for its end. Returns its exit code. Fails on a timeout. */
    int terminate(Duration within);

    /** Returns the end of the log for a failure message, if the node has a log. */
    String log();

    /** Ends the node without a drain. */
    @Override
    void close();

    /** Sends a request to the admin server. */
    default HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(adminUrl() + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Waits until the node reports that it is ready. */
    default RunningNode awaitReady() {
        await().atMost(STARTUP)
                .pollDelay(Duration.ZERO)
                .failFast("the node exited", () -> !isAlive())
                .until(() -> get("/readyz").statusCode() == 200);
        return this;
    }
}
