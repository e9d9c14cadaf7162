package io.iocluster.node.httpd;

import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryMessage;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The pipeline of a node with a configuration from YAML and an in-memory broker. Owned by one test. */
final class InMemoryNode implements AutoCloseable {

    private final MemoryBroker broker = new MemoryBroker();
    private final AtomicInteger sent = new AtomicInteger();
    private final Pipeline pipeline;

    InMemoryNode(String yaml) {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(yaml + "\negress: {ports: [], allow-networks: [127.0.0.0/8]}\n", Path.of("."))
                .settings();
        pipeline = new Pipeline(
                settings.pipeline(), new MemoryTransport(broker), PipelineEvents.NONE, Tracing.OFF, Platform.system());
        pipeline.start();
    }

    /** Sends an envelope and waits for its answer. */
    Answer call(String envelope) {
        String correlation = "call-" + sent.incrementAndGet();
        broker.send(envelope.getBytes(StandardCharsets.UTF_8), correlation, Map.of());
        await().until(() -> answer(correlation).isPresent());
        return new AnswerDecoder().decode(answer(correlation).orElseThrow().payload());
    }

    /** Sends a GET of this URL, with further fields of the envelope, and waits for its answer. */
    Answer get(String url, String... fields) {
        String more = fields.length == 0 ? "" : ", " + String.join(", ", fields);
        return call("{\"url\": \"" + url + "\"" + more + "}");
    }

    private Optional<MemoryMessage> answer(String correlation) {
        return broker.answers().stream()
                .filter(answer -> answer.correlationId().equals(correlation))
                .findFirst();
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
