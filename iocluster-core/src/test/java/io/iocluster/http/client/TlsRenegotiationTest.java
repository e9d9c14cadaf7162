package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target that starts further TLS handshakes while it handles a request. */
@Timeout(60)
class TlsRenegotiationTest extends ExecutorFixture {

    /** IIS and Apache do so to ask for the client's certificate when they have seen the path. */
    @Test
    void acceptsOneHandshakeDuringEachCall() throws Exception {
        RenegotiatingTarget target = open(new RenegotiatingTarget(1));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        for (int call = 1; call <= 3; call++) {
            assertThat(executor.response(target.request()).status()).isEqualTo(200);
            assertThat(target.handshakes.get()).isEqualTo(1 + call);
        }
    }

    @Test
    void endsACallDuringWhichTheTargetStartsManyHandshakes() throws Exception {
        RenegotiatingTarget target = open(new RenegotiatingTarget(100));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        HttpResult.Failure failure = executor.failure(target.request());

        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.message()).contains("renegotiated");
        target.closed.acquire();
        assertThat(target.handshakes.get()).isLessThan(40);
    }

    /** Serves one connection over TLS 1.2. */
    private static final class RenegotiatingTarget implements AutoCloseable {

        private final AtomicInteger handshakes = new AtomicInteger();
        private final Semaphore closed = new Semaphore(0);
        private final Semaphore handshakesEnded = new Semaphore(0);
        private final Semaphore requests = new Semaphore(0);
        private final SSLServerSocket listener;
        private final Thread server;

        /** @param times handshakes that it starts during each request */
        RenegotiatingTarget(int times) throws Exception {
            listener = (SSLServerSocket) AUTHORITY.sockets().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
            listener.setEnabledProtocols(new String[] {"TLSv1.2"});
            server = DaemonThreadFactory.newThread("renegotiating-target", () -> serve(times));
            server.start();
        }

        private void serve(int times) {
            try (SSLSocket socket = (SSLSocket) listener.accept()) {
                socket.addHandshakeCompletedListener(event -> {
                    handshakes.incrementAndGet();
                    handshakesEnded.release();
                });
                DaemonThreadFactory.newThread("renegotiating-target-reader", () -> read(socket))
                        .start();
                handshakesEnded.acquire();
                while (true) {
                    requests.acquire();
                    for (int i = 0; i < times; i++) {
                        socket.startHandshake();
                        handshakesEnded.acquire();
                    }
                    socket.getOutputStream().write(OK.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                }
            } catch (IOException closedByNode) {
                closed.release();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        /** Counts the requests, which have no body, and completes the handshakes. */
        private void read(SSLSocket socket) {
            byte[] end = "\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
            try {
                int matched = 0;
                for (int octet = socket.getInputStream().read();
                        octet >= 0;
                        octet = socket.getInputStream().read()) {
                    matched = octet == end[matched] ? matched + 1 : octet == end[0] ? 1 : 0;
                    if (matched == end.length) {
                        matched = 0;
                        requests.release();
                    }
                }
            } catch (IOException closedByNode) {
                // Ends like the end of the stream.
            }
            closed.release();
        }

        HttpRequest request() {
            return new HttpRequest(
                    "GET", new TargetUrl("https", "127.0.0.1", listener.getLocalPort(), "/"), List.of(), null);
        }

        @Override
        public void close() throws IOException {
            listener.close();
            server.interrupt();
        }
    }
}
