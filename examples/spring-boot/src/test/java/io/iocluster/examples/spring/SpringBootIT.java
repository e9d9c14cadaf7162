package io.iocluster.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.iocluster.client.ClientClosedException;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import io.iocluster.testkit.process.DemoProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the service with the demo, limited to one outstanding call. */
class SpringBootIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static DemoProcess demo;
    private static HttpServer partner;
    private static ConfigurableApplicationContext service;

    @BeforeAll
    static void start() throws IOException {
        // Uses RabbitMQ because Spring Boot manages versions of Kafka broker libraries that conflict with ours.
        demo = DemoProcess.start("rabbit");
        partner = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        partner.createContext("/match", SpringBootIT::answer);
        partner.start();
        service = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--iocluster.broker=" + demo.brokerAddress(),
                "--iocluster.max-outstanding=1",
                "--partner.url=http://127.0.0.1:" + partner.getAddress().getPort() + "/match",
                "--partner.within=15s");
    }

    /** Answers with the query, except for {@code launch=silent}, which gets no answer. */
    private static void answer(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        if (query.equals("launch=silent")) {
            return;
        }
        try (exchange) {
            byte[] body = ("{\"asked\": \"" + query + "\"}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @AfterAll
    static void end() {
        IoClusterClient cluster = service.getBean(IoClusterClient.class);
        service.close();
        partner.stop(0);
        demo.close();

        assertThatThrownBy(() -> cluster.call(Request.get("http://127.0.0.1/").build())
                        .toCompletableFuture()
                        .join())
                .as("closed with the service")
                .hasCauseInstanceOf(ClientClosedException.class);
    }

    @Test
    void forwardsThePartnersAnswer() throws Exception {
        HttpResponse<String> response = get("/matches/42%26all");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(response.body()).isEqualTo("{\"asked\": \"launch=42%26all\"}");
        assertThat(get("/actuator/metrics/iocluster.client.calls").body()).contains("\"COUNT\"");
    }

    @Test
    void rejectsCallsBeyondTheLimitAndTimesOutSlowCalls() throws Exception {
        CompletableFuture<HttpResponse<String>> silent =
                CLIENT.sendAsync(request("/matches/silent"), BodyHandlers.ofString());
        await().until(() -> service.getBean(IoClusterClient.class).outstanding() == 1);

        HttpResponse<String> oneMore = get("/matches/42");

        assertThat(oneMore.statusCode()).as(oneMore.body()).isEqualTo(503);
        assertThat(oneMore.headers().firstValue("Retry-After")).contains("1");
        assertThat(silent.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(504);
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path), BodyHandlers.ofString());
    }

    private static HttpRequest request(String path) {
        String port = service.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
    }
}
