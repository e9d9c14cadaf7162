package io.iocluster.http.ahc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ahc.server.TestCertificateAuthority;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A target that sends each byte in a TLS record of its own. */
@Timeout(60)
class SmallTlsRecordsTest extends ExecutorFixture {

    /** Fewer bytes than the response's head may have. */
    private static final int TOO_MANY_RECORDS = 7_500;

    private static final int ACCEPTED_RECORDS = 4_000;

    @TempDir
    private Path folder;

    private TestCertificateAuthority authority;
    private TestExecutor executor;

    @BeforeEach
    void trustTheTarget() throws Exception {
        authority = new TestCertificateAuthority(folder);
        SslContext trust = SslContextBuilder.forClient()
                .trustManager(new File(authority.file("ca.pem")))
                .build();
        executor = open(new TestExecutor(HttpSettings.DEFAULTS, trust));
    }

    @Test
    void failsForAHeadInTooManyRecords() throws Exception {
        ScriptedServer server = tlsServer(connection -> {
            while (connection.read() != null) {
                sendByteByByte(connection, response(TOO_MANY_RECORDS));
            }
        });

        HttpResult.Failure failure = executor.failure(get(server));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0, 0)));
    }

    @Test
    void acceptsSeveralHeadsInThousandsOfRecordsOnOneConnection() throws Exception {
        ScriptedServer server = tlsServer(connection -> {
            while (connection.read() != null) {
                sendByteByByte(connection, response(ACCEPTED_RECORDS));
            }
        });

        for (int call = 0; call < 4; call++) {
            assertThat(executor.response(get(server)).status()).isEqualTo(200);
        }

        assertThat(server.connections()).isEqualTo(1);
    }

    private static String response(int bytes) {
        String start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ";
        return start + "x".repeat(bytes - start.length()) + "\r\n\r\n";
    }

    private static void sendByteByByte(ScriptedServer.ScriptedConnection connection, String text) throws IOException {
        for (byte each : text.getBytes(StandardCharsets.ISO_8859_1)) {
            connection.sendBytes(new byte[] {each});
        }
    }

    private ScriptedServer tlsServer(Script script) throws Exception {
        return open(new ScriptedServer(authority.sockets(), script));
    }

    private static HttpRequest get(ScriptedServer server) {
        return new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", server.port(), "/"), List.of(), null);
    }
}
