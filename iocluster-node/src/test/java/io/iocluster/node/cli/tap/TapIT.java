package io.iocluster.node.cli.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.testkit.junit.SharedBrokers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Taps a real node while it makes calls. */
class TapIT {

    private static final int CALLS = 200;

    @Test
    void showsCallsOfANodeOnKafka() throws Exception {
        try (KafkaNodeFixture fixture = new KafkaNodeFixture(1, Map.of());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            RunningNode node = fixture.startInProcess("node-1", "none", ColdNode.LONG_TIMEOUTS);

            List<String> calls = tap(node, () -> {
                for (int i = 0; i < CALLS; i++) {
                    String envelope =
                            "{\"id\":\"call-" + i + "\",\"url\":\"" + fixture.target.url("/ok?id=s3cr3t") + "\"}";
                    producer.send(new ProducerRecord<>(KafkaNodeFixture.REQUESTS, envelope.getBytes(UTF_8)));
                }
                producer.flush();
            });

            assertThat(calls)
                    .hasSize(20)
                    .allMatch(call -> call.matches(
                            ".* 200 +1 .* GET " + fixture.target.url("/ok") + "\\?id=\\*\\*\\* +call-\\d+"));
        }
    }

    @Test
    void showsCallsOfANodeOnRabbitMq() throws Exception {
        try (RabbitNodeFixture fixture = new RabbitNodeFixture(SharedBrokers.emptyRabbit())) {
            RunningNode node = fixture.startInProcess("node-1", ColdNode.LONG_TIMEOUTS);
            fixture.send(0, 1, "/ok?id=");

            List<String> calls = tap(node, () -> fixture.send(1, CALLS, "/ok?id="));

            assertThat(calls)
                    .hasSize(20)
                    .allMatch(call ->
                            call.matches(".* 200 +1 .* GET " + fixture.target.url("/ok") + "\\?id=\\*\\*\\* +\\d+"));
        }
    }

    /** Taps 20 calls of status 200 at 40 a second, while more calls are made. */
    private static List<String> tap(RunningNode node, Runnable calls) throws Exception {
        String[] command = {"tap", "--admin", node.adminUrl(), "--count", "20", "--rate", "40/s", "--code", "200"};
        CompletableFuture<CommandRun> tap = CompletableFuture.supplyAsync(() -> CommandRun.of("", Map.of(), command));
        while (!tap.isDone()) {
            calls.run();
        }
        CommandRun run = tap.get(1, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("shown 20, skipped ");
        return run.out().lines().skip(1).toList();
    }
}
