package io.iocluster.node.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.client.AnswerSubscription;
import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientEvents;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.IoClusterException;
import io.iocluster.client.ListenerConfig;
import io.iocluster.client.Request;
import io.iocluster.client.fake.FakeAnswer;
import io.iocluster.client.fake.FakeCluster;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.rabbit.client.RabbitClientTransport;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Contains the snippets of the Java client's page, so that they compile. */
class JavaClientPageTest {

    private static final Path ROOT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void containsEverySnippetOfThePage() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/clients/java.md"));
        String source = normal(Files.readString(
                ROOT.resolve("iocluster-node/src/test/java/io/iocluster/node/client/JavaClientPageTest.java")));

        List<String> snippets = SNIPPET.matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();

        assertThat(snippets)
                .hasSizeGreaterThan(4)
                .allSatisfy(snippet -> assertThat(source).contains(normal(snippet)));
    }

    /** Removes differences that a formatter may make. */
    private static String normal(String code) {
        return code.replaceAll("\\s+", "");
    }

    @SuppressWarnings("unused")
    private abstract static class Snippets {

        Executor executor;
        MeterRegistry registry;

        abstract void store(Answer answer);

        void quickStart() throws IOException {
            try (IoClusterClient cluster = IoClusterClient.connect(KafkaClientTransport.at("127.0.0.1:9092"))) {
                Request request = Request.get("https://partner.example/match?click=42")
                        .header("Accept", "application/json")
                        .deadline(Duration.ofSeconds(2))
                        .build();
                Answer answer = cluster.call(request).toCompletableFuture().join();
                System.out.println(answer.outcome() + " " + answer.status() + " " + answer.text());
            }
        }

        IoClusterClient onRabbit() throws IOException {
            IoClusterClient cluster =
                    IoClusterClient.connect(RabbitClientTransport.at("amqp://user:password@127.0.0.1:5672/"));
            return cluster;
        }

        IoClusterClient configured() throws IOException {
            IoClusterClient cluster =
                    IoClusterClient.connect(ClientConfig.forTransport(KafkaClientTransport.at("127.0.0.1:9092"))
                            .withName("launches")
                            .timeout(Duration.ofSeconds(5))
                            .withMaxOutstanding(5_000, ClientFullPolicy.BLOCK)
                            .withExecutor(executor));
            return cluster;
        }

        Request severalCalls() {
            Request first = Request.any(List.of(
                            Request.get("https://partner-a.example/match?launch=42")
                                    .build(),
                            Request.get("https://partner-b.example/v2/match/42").build()))
                    .deadline(Duration.ofSeconds(1))
                    .build();
            return first;
        }

        Request firstMatch() {
            UsableRule match = UsableRule.builder()
                    .status(200)
                    .json("/match")
                    .equalTo(true)
                    .build();
            Request firstMatch = Request.any(List.of(
                            Request.get("https://partner-a.example/match?launch=42")
                                    .usable(match)
                                    .build(),
                            Request.get("https://partner-b.example/v2/match/42")
                                    .usable(match)
                                    .build()))
                    .deadline(Duration.ofSeconds(1))
                    .build();
            return firstMatch;
        }

        void usableAndStored(IoClusterClient cluster, UsableRule match) {
            Answer answer = cluster.call(Request.get("https://partner.example/match?click=42")
                            .usable(match)
                            .build())
                    .toCompletableFuture()
                    .join();
            if (answer.unusable() != null) {
                System.out.println("not usable: " + answer.unusable());
            }
            Answer.CacheUse cache = answer.cache();
            if (cache != null && cache.hit()) {
                System.out.println(
                        "not made for this call, age " + cache.ageMs() + " ms" + (cache.stale() ? ", expired" : ""));
            }
        }

        AnswerSubscription listen(IoClusterClient cluster) {
            cluster.enqueue(Request.post("https://partner.example/postback")
                    .id("order-4711")
                    .body("{\"order\": 4711}")
                    .idempotencyKey("order-4711")
                    .build());
            AnswerSubscription subscription = cluster.listen(
                    ListenerConfig.DEFAULTS.group("postbacks"),
                    answer -> CompletableFuture.runAsync(() -> store(answer), executor));
            return subscription;
        }

        IoClusterClient fake() throws IOException {
            FakeCluster fake = new FakeCluster()
                    .answer(
                            "https://partner.example/match",
                            FakeAnswer.status(200).body("{\"match\": true}"))
                    .answer(call -> call.url().contains("/slow"), call -> FakeAnswer.none())
                    .answer(
                            call -> call.method().equals("POST"),
                            call -> FakeAnswer.error(ErrorCode.TIMEOUT, SentStatus.MAYBE));
            IoClusterClient cluster = IoClusterClient.connect(fake);
            return cluster;
        }

        ClientEvents metrics() {
            ClientEvents metrics = new ClientEvents() {
                @Override
                public void answered(Duration took) {
                    registry.timer("iocluster.client.calls").record(took);
                }

                @Override
                public void failed(IoClusterException failure) {
                    registry.counter(
                                    "iocluster.client.failures",
                                    "reason",
                                    failure.getClass().getSimpleName())
                            .increment();
                }
            };
            return metrics;
        }
    }
}
