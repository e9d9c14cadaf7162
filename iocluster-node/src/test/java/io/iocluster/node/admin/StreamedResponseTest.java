package io.iocluster.node.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamedResponseTest {

    private final AdminFixture fixture = new AdminFixture("admin: {port: 0}");
    private final EndlessStream stream = new EndlessStream();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        AdminRoute route = AdminRoute.get("/endless", Access.OPEN, any -> AdminResponse.stream("text/plain", stream));
        server = AdminServer.start(
                fixture.node.settings().admin(),
                fixture.node,
                List.of(route),
                List.of(),
                new AuditLog(System::nanoTime),
                Platform.system());
    }

    @AfterEach
    void close() {
        server.close();
        fixture.close();
    }

    @Test
    void closesTheStreamOfAClientThatDoesNotRead() throws Exception {
        try (Socket client = request()) {
            assertThat(client.getInputStream().read()).isEqualTo('H');

            stream.closed.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void closesTheStreamOfAClientThatHasGone() throws Exception {
        stream.maxDuration = Duration.ofHours(1);
        try (Socket client = request()) {
            assertThat(client.getInputStream().read()).isEqualTo('H');
        }

        stream.closed.get(1, TimeUnit.MINUTES);
    }

    @Test
    void closesTheStreamWhenTheServerCloses() throws Exception {
        stream.maxDuration = Duration.ofHours(1);
        try (Socket client = request()) {
            assertThat(client.getInputStream().read()).isEqualTo('H');
            server.close();

            stream.closed.get(1, TimeUnit.MINUTES);
        }
    }

    private Socket request() throws IOException {
        Socket client =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        client.getOutputStream().write("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        return client;
    }

    /** Always has more to send than the buffers of a socket hold. */
    private static final class EndlessStream implements AdminStream {

        private final byte[] data = new byte[16 << 20];
        private final CompletableFuture<Void> closed = new CompletableFuture<>();
        private volatile Duration maxDuration = Duration.ofMillis(100);

        @Override
        public Duration maxDuration() {
            return maxDuration;
        }

        @Override
        public byte[] poll() {
            return data;
        }

        @Override
        public void close() {
            closed.complete(null);
        }
    }
}
