package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.source.ManagementApi.QueueStatistics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ManagementApiTest {

    private static final String NO_STATISTICS = "[]";

    private HttpServer broker;
    private ManagementApi api;
    private volatile String description;
    private long nanos = Long.MAX_VALUE;

    @BeforeEach
    void start() throws IOException {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broker.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = description.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        broker.start();
        api = new ManagementApi(
                RabbitTestSettings.of("amqp://127.0.0.1", "t")
                        .management("http://127.0.0.1:" + broker.getAddress().getPort())
                        .settings(),
                () -> nanos);
    }

    @AfterEach
    void stop() {
        broker.stop(0);
    }

    @Test
    void readsTheStatisticsOfTheQueue() throws Exception {
        description = "{\"head_message_timestamp\": 17, \"consumer_details\": [{}], \"messages_unacknowledged\": 3}";

        assertThat(api.fetchQueueStatistics()).isEqualTo(new QueueStatistics(3, 17_000));
    }

    @Test
    void returnsZerosForANewQueue() throws Exception {
        description = NO_STATISTICS;

        assertThat(api.fetchQueueStatistics()).isEqualTo(new QueueStatistics(0, 0));
        pass(59);
        assertThat(api.fetchQueueStatistics()).isEqualTo(new QueueStatistics(0, 0));
    }

    @Test
    void failsWhenThereAreNoStatisticsForAMinute() throws Exception {
        description = NO_STATISTICS;
        api.fetchQueueStatistics();

        pass(60);

        assertThatThrownBy(api::fetchQueueStatistics)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no statistics of the queue");
    }

    @Test
    void waitsAgainForTheStatisticsOfARecreatedQueue() throws Exception {
        description = NO_STATISTICS;
        api.fetchQueueStatistics();
        description = "{\"messages_unacknowledged\": 3}";
        pass(60);
        api.fetchQueueStatistics();

        description = NO_STATISTICS;

        assertThat(api.fetchQueueStatistics()).isEqualTo(new QueueStatistics(0, 0));
    }

    @Test
    void failsOnAResponseThatDescribesNoQueue() {
        for (String other : new String[] {"[{}]", "\"closed\"", "<html>", "{\"messages_una"}) {
            description = other;

            assertThatThrownBy(api::fetchQueueStatistics).as(other).isInstanceOf(IOException.class);
        }
    }

    @Test
    @Timeout(60)
    void failsWhenABodyDoesNotEndInTime() {
        CountDownLatch tested = new CountDownLatch(1);
        broker.createContext("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("{\"messages_una".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            await(tested);
        });
        ManagementApi slow = new ManagementApi(
                RabbitTestSettings.of("amqp://127.0.0.1", "t")
                        .management(
                                "http://127.0.0.1:" + broker.getAddress().getPort() + "/slow", Duration.ofMillis(300))
                        .settings(),
                () -> nanos);

        try {
            assertThatThrownBy(slow::fetchQueueStatistics)
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(": no answer in time");
        } finally {
            tested.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(int seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }
}
