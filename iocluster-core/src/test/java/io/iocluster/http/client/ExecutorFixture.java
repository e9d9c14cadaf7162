package io.iocluster.http.client;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.TestCertificateAuthority;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;

/** Creates the targets and executors of a test and closes them when it ends. */
abstract class ExecutorFixture {

    /** The authority of all tests in this JVM. */
    static final TestCertificateAuthority AUTHORITY = TestCertificateAuthority.create();

    /** Trusts only {@link #AUTHORITY}, and offers HTTP/2. */
    static final SslContext TRUST = AUTHORITY.clientContext();

    static final String OK = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";

    private final List<AutoCloseable> closeables = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : closeables) {
            each.close();
        }
    }

    final <T extends AutoCloseable> T open(T resource) {
        closeables.add(resource);
        return resource;
    }

    final ScriptedServer server(Script script) {
        return open(new ScriptedServer(script));
    }

    /** Sends this response to each request. */
    static Script respondingWith(String response) {
        return connection -> {
            while (connection.read() != null) {
                connection.send(response);
            }
        };
    }

    static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(plain);
        }
        return bytes.toByteArray();
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
        return RecordCopy.with(
                HttpSettings.DEFAULTS,
                "connectTimeout",
                connectTimeout,
                "maxResponseBody",
                maxResponseBody,
                "whenBodyTooLarge",
                whenTooLarge,
                "connectionsPerDestination",
                perDestination,
                "concurrentConnects",
                concurrentConnects,
                "http2",
                true);
    }

    /** Returns a latch that opens when the test ends. */
    final CountDownLatch latch() {
        CountDownLatch latch = new CountDownLatch(1);
        closeables.add(latch::countDown);
        return latch;
    }
}
