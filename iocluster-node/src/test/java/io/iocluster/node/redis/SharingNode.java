package io.iocluster.node.redis;

import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.shared.SharedCacheResult;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineParts;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The pipeline of a node with an in-memory broker, whose cache other nodes share through Redis. Owned by one test. */
final class SharingNode implements AutoCloseable {

    private final MemoryBroker broker = new MemoryBroker();
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Pipeline pipeline;
    private int sent;

    private SharingNode(NodeSettings settings) {
        this.pipeline = new Pipeline(
                settings.pipeline(),
                new MemoryTransport(broker),
                PipelineEvents.NONE,
                Tracing.OFF,
                PipelineParts.of(settings.pipeline(), PipelineEvents.NONE, RedisStore::open, Platform.system()),
                Platform.system());
    }

    /**
     * Starts a node with a cache for all destinations.
     *
     * @param sharedCache the content of {@code shared-cache}
     */
    static SharingNode start(String sharedCache) {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load("""
                        shared-cache: {%s}
                        destination-defaults: {cache: {ttl: 1m, shared: true, coalesce: true}}
                        egress: {ports: [], allow-networks: [127.0.0.0/8]}
                        """.formatted(sharedCache), Path.of("."))
                .settings();
        SharingNode node = new SharingNode(settings);
        node.pipeline.start();
        return node;
    }

    /** Sends a GET. */
    void send(String url) {
        sent++;
        broker.send(("{\"url\":\"" + url + "\"}").getBytes(StandardCharsets.UTF_8), null, Map.of());
    }

    /** Waits for the answers to all calls, and returns them in the order of their end. */
    List<Answer> awaitAnswers() {
        await().until(() -> broker.acknowledgedCount() == sent);
        return broker.answers().stream()
                .map(each -> decoder.decode(each.payload()))
                .toList();
    }

    /** Sends a GET, and waits for its answer. */
    Answer get(String url) {
        send(url);
        List<Answer> all = awaitAnswers();
        return all.get(all.size() - 1);
    }

    SharedCacheStatus shared() {
        return pipeline.sharedCache().orElseThrow();
    }

    SharingNode awaitConnected() {
        await().until(() -> shared().connected());
        return this;
    }

    /** Waits until all writes have ended. */
    void awaitWritten() {
        await().until(() -> shared().writesInFlight() == 0);
    }

    long lookups(SharedCacheResult result) {
        return shared().lookups().get(result);
    }

    long calls(CacheResult result) {
        return pipeline.caches().get(0).results().get(result);
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
