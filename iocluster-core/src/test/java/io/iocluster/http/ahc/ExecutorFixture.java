package io.iocluster.http.ahc;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ahc.ScriptedServer.Script;
import io.iocluster.settings.DataSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** The targets and the executors of one test, closed when it ends, however it ends. */
abstract class ExecutorFixture {

    static final String OK = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    final <T extends AutoCloseable> T open(T closedAtTheEnd) {
        opened.add(closedAtTheEnd);
        return closedAtTheEnd;
    }

    final ScriptedServer server(Script script) {
        return open(new ScriptedServer(script));
    }

    /** Gives this answer to each request. */
    static Script answering(String answer) {
        return connection -> {
            while (connection.read() != null) {
                connection.say(answer);
            }
        };
    }

    final TestExecutor executor() {
        return executor(HttpSettings.DEFAULTS);
    }

    final TestExecutor executor(HttpSettings settings) {
        return open(new TestExecutor(settings));
    }

    static HttpSettings settings(int perDestination, DataSize maxResponseBody, Duration connectTimeout) {
        return settings(perDestination, maxResponseBody, BodyTooLargePolicy.TRUNCATE, connectTimeout);
    }

    static HttpSettings settings(
            int perDestination, DataSize maxResponseBody, BodyTooLargePolicy whenTooLarge, Duration connectTimeout) {
        int connects = HttpSettings.DEFAULTS.concurrentConnects();
        return settings(perDestination, connects, maxResponseBody, whenTooLarge, connectTimeout);
    }

    static HttpSettings settings(
            int perDestination,
            int concurrentConnects,
            DataSize maxResponseBody,
            BodyTooLargePolicy whenTooLarge,
            Duration connectTimeout) {
        HttpSettings defaults = HttpSettings.DEFAULTS;
        return new HttpSettings(
                connectTimeout,
                defaults.timeout(),
                defaults.deadline(),
                defaults.maxDeadline(),
                defaults.maxTimeout(),
                maxResponseBody,
                whenTooLarge,
                defaults.maxResponseHeaders(),
                defaults.maxResponseHeaderCount(),
                defaults.maxRequestBody(),
                defaults.idleTimeout(),
                perDestination,
                concurrentConnects,
                true,
                defaults.dns());
    }

    /** A latch that lets go when the test ends. */
    final CountDownLatch latch() {
        CountDownLatch latch = new CountDownLatch(1);
        opened.add(latch::countDown);
        return latch;
    }
}
