package io.iocluster.node.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTargetTest {

    @AutoClose
    private final WarmUpTarget target = new WarmUpTarget();

    private final EgressPolicy policy =
            new EgressPolicy(WarmUpCalls.settings(target, 1).egress());

    @Test
    void answersEveryRequestAndClosesOldConnections() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(target.url() + "/any"))
                .POST(HttpRequest.BodyPublishers.ofString("x".repeat(100_000)))
                .build();

        boolean closed = false;
        for (int i = 0; i < 60; i++) {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).startsWith("{\"text\": \"x");
            closed |= response.headers().firstValue("Connection").orElse("").equals("close");
        }
        assertThat(closed).isTrue();
    }

    @Test
    void listensOnALoopbackAddressOnlyAndClosesItsPort() throws IOException {
        InetAddress address = InetAddress.getByName(target.host());
        assertThat(address.isLoopbackAddress()).isTrue();
        try (Socket open = new Socket(address, target.port())) {
            // A response shows that the server has accepted the connection.
            open.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(open.getInputStream().read()).isEqualTo('H');

            target.close();

            // Ends when the connection is closed, and fails otherwise.
            open.setSoTimeout(60_000);
            open.getInputStream().readAllBytes();
            await().untilAsserted(() -> assertThatThrownBy(() -> new Socket(address, target.port()).close())
                    .isInstanceOf(IOException.class));
        }
    }

    @Test
    void isTheOnlyTargetThatThePolicyOfTheWarmUpAllows() {
        assertThat(policy.checkUrl(target.url() + "/get")).isInstanceOf(TargetUrl.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://HOST:PORT/",
                "http://HOST:1/",
                "http://127.0.0.2:PORT/",
                "http://localhost:PORT/",
                "http://93.184.216.34:PORT/",
                "http://169.254.169.254:PORT/",
                "http://partner.example:PORT/"
            })
    void isNotReplacedByAnotherTarget(String url) {
        String other = url.replace("HOST", target.host()).replace("PORT", Integer.toString(target.port()));

        assertThat(policy.checkUrl(other)).as(other).isInstanceOf(Rejection.class);
    }
}
