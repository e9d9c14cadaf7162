package io.iocluster.testkit.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetServerTest {

    @AutoClose
    private final TargetServer server = TargetServer.start();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void respondsWithTheRequestedStatusAndHeaders() throws Exception {
        assertThat(get("/status?code=503").statusCode()).isEqualTo(503);
        assertThat(get("/headers?x-a=1&x-a=2").headers().allValues("x-a")).containsExactly("1", "2");
        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
        assertThat(get("/redirect?to=/ok").headers().firstValue("location")).contains("/ok");
    }

    @Test
    void answersOverHttp2(@TempDir Path folder) throws Exception {
        TargetKeyStore keys = TargetKeyStore.create(folder);
        int port = server.listenHttp2(keys);
        HttpClient secure =
                HttpClient.newBuilder().sslContext(contextThatTrusts(keys)).build();

        HttpResponse<String> response = secure.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/mirror"))
                        .POST(HttpRequest.BodyPublishers.ofString("body"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(response.body()).isEqualTo("body");
        assertThat(server.requestLog().requests()).isEqualTo(1);
    }

    private static SSLContext contextThatTrusts(TargetKeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(keys.certificate())) {
            trusted.setCertificateEntry(
                    "target", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void waitsForTheRequestedDelay() throws Exception {
        get("/ok");
        long start = System.nanoTime();
        get("/delay?ms=80");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(79));
    }

    @Test
    void holdsResponsesUntilReleased() throws Exception {
        CompletableFuture<HttpResponse<String>> held = client.sendAsync(
                HttpRequest.newBuilder(URI.create(server.url("/held?id=held"))).build(), BodyHandlers.ofString());
        await().until(() -> server.requestLog().open() == 1);
        get("/ok");
        assertThat(held).isNotDone();

        server.releaseHeld();

        assertThat(held.join().statusCode()).isEqualTo(200);
        assertThat(get("/held").statusCode()).isEqualTo(200);
        assertThat(server.requestLog().open()).isZero();
    }

    @Test
    void countsRequestsOnUsedConnectionsByTheirId() throws Exception {
        get("/ok?id=first");
        get("/ok?id=second");
        get("/ok?id=second");

        assertThat(server.requestLog().countsOnUsedConnections()).isEqualTo(Map.of("second", 2));
    }

    @Test
    void sendsBodiesWholeInPartsOrCompressed() throws Exception {
        assertThat(get("/body?bytes=70000").body()).hasSize(70_000);
        assertThat(get("/drip?bytes=7&every=1&part=3").body()).hasSize(7);
        assertThat(get("/drip?bytes=7&every=1&chunked=true").body()).hasSize(7);
        assertThat(get("/body?bytes=70000&gzip=true").headers().firstValue("content-encoding"))
                .contains("gzip");
    }

    @Test
    void closesResetsOrNeverAnswersOnRequest() {
        assertThatThrownBy(() -> get("/close")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get("/close?at=body")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get("/reset")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get("/garbage")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client.send(
                        HttpRequest.newBuilder(URI.create(server.url("/never")))
                                .timeout(Duration.ofMillis(100))
                                .build(),
                        BodyHandlers.ofString()))
                .isInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void resetsInTheMiddleOfAResponse() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /reset?at=body HTTP/1.1\r\nhost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThatThrownBy(in::readAllBytes)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void recoversAfterTheRequestedFailures() throws Exception {
        assertThat(get("/flaky?failures=2&key=a").statusCode()).isEqualTo(503);
        assertThat(get("/flaky?failures=2&key=a").statusCode()).isEqualTo(503);
        assertThat(get("/flaky?failures=2&key=b").statusCode()).isEqualTo(503);
        assertThat(get("/flaky?failures=2&key=a").statusCode()).isEqualTo(200);
    }

    @Test
    void aServiceIsDownUntilItIsSetUp() throws Exception {
        get("/service/down?name=a");
        assertThat(get("/service?name=a").statusCode()).isEqualTo(503);
        assertThat(get("/service?name=b").statusCode()).isEqualTo(200);
        get("/service/up?name=a");
        assertThat(get("/service?name=a").statusCode()).isEqualTo(200);
    }

    @Test
    void recordsRequestsWhoseClientDisconnects() throws Exception {
        get("/ok?id=patient");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /never?id=hasty HTTP/1.1\r\nhost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> server.requestLog().count("hasty") == 1);
            assertThat(server.requestLog().abandoned()).isEmpty();
        }

        await().untilAsserted(() -> assertThat(server.requestLog().abandoned()).containsExactly("hasty"));
    }

    @Test
    void echoesTheRequest() throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(server.url("/echo")))
                        .header("X-Trace", "t\"1")
                        .PUT(HttpRequest.BodyPublishers.ofString("bödy"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.body()).contains("\"method\":\"PUT\"", "\"x-trace\":\"t\\\"1\"", "\"body\":\"bödy\"");
    }

    @Test
    void recordsCountsOrderAndPeaks() throws Exception {
        get("/ok?id=one&key=k");
        get("/ok?id=two&key=k");
        get("/ok?id=one&key=k");
        CompletableFuture<?> wide = CompletableFuture.allOf(IntStream.range(0, 5)
                .mapToObj(i -> client.sendAsync(
                        HttpRequest.newBuilder(URI.create(server.url("/held?key=wide")))
                                .build(),
                        BodyHandlers.ofString()))
                .toArray(CompletableFuture[]::new));
        await().until(() -> server.requestLog().open() == 5);
        server.releaseHeld();
        wide.join();

        assertThat(server.requestLog().count("one")).isEqualTo(2);
        assertThat(server.requestLog().idsInOrder("k")).containsExactly("one", "two", "one");
        assertThat(server.requestLog().peakOpen("k")).isEqualTo(1);
        assertThat(server.requestLog().peakOpen("wide")).isEqualTo(5);
        assertThat(server.requestLog().open()).isZero();
        assertThat(server.requestLog().requests()).isEqualTo(8);
        assertThat(get("/ledger").body()).contains("\"ids\":{", "\"one\":2", "\"order\":[\"one\",\"two\",\"one\"]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answersPipelinedAndFragmentedRequests(boolean detailed) throws Exception {
        try (TargetServer other = TargetServer.start(0, 1, detailed);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
            socket.setTcpNoDelay(true);
            String plain = "GET /ok?id=1 HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n";
            String withBody = "GET /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 24\r\n\r\nGET /status?code=500 HTT";
            String last = "GET /delay?ms=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            String all = plain + plain + withBody + plain + last;
            for (byte[] piece : new byte[][] {
                (plain + plain + plain.substring(0, 9)).getBytes(StandardCharsets.US_ASCII),
                (plain.substring(9) + all.substring(2 * plain.length())).getBytes(StandardCharsets.US_ASCII)
            }) {
                socket.getOutputStream().write(piece);
                socket.getOutputStream().flush();
            }

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(1 + 6);
            assertThat(answers).doesNotContain("500");
            assertThat(other.requestLog().requests()).isEqualTo(6);
        }
    }

    @Test
    void runsInASeparateProcess() throws Exception {
        try (TargetProcess process = TargetProcess.start(1, false)) {
            client.send(HttpRequest.newBuilder(URI.create(process.url("/ok"))).build(), BodyHandlers.ofString());
            assertThat(process.totalsJson()).contains("\"requests\":1", "\"open\":0");
            process.resetRequestLog();
            assertThat(process.totalsJson()).contains("\"requests\":0");
        }
    }

    @Test
    void listensOnAnotherLoopbackAddress() throws Exception {
        try (TargetProcess process = TargetProcess.start(List.of("127.0.0.2"), 1, false)) {
            URI url = URI.create(process.url("/ok"));

            assertThat(url.getHost()).isEqualTo("127.0.0.2");
            assertThat(client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(server.url(path))).build(), BodyHandlers.ofString());
    }
}
