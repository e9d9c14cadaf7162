package io.iocluster.testkit.memory;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A delivery that records how it was settled: {@code acknowledged} or {@code released}. Thread-safe. */
public class FakeDelivery implements Delivery, Settlement {

    public final CompletableFuture<String> settled = new CompletableFuture<>();
    private final byte[] payload;
    private final long timestampMillis;
    private final Map<String, String> headers;
    private final long timeToLiveMillis;
    private boolean delayedRetry;
    private boolean redelivered;

    public FakeDelivery(String payload) {
        this(payload, -1, Map.of());
    }

    public FakeDelivery(String payload, long timestampMillis, Map<String, String> headers) {
        this(payload, timestampMillis, headers, -1);
    }

    public FakeDelivery(String payload, long timestampMillis, Map<String, String> headers, long timeToLiveMillis) {
        this.payload = payload.getBytes(StandardCharsets.UTF_8);
        this.timestampMillis = timestampMillis;
        this.headers = headers;
        this.timeToLiveMillis = timeToLiveMillis;
    }

    /** Marks this delivery as one from the transport's own delay queue. Call it before use. */
    public FakeDelivery delayedRetry() {
        delayedRetry = true;
        return this;
    }

    /** Marks this delivery as a redelivery. Call it before use. */
    public FakeDelivery redelivered() {
        redelivered = true;
        return this;
    }

    @Override
    public boolean isRedelivered() {
        return redelivered;
    }

    @Override
    public boolean isDelayedRetry() {
        return delayedRetry;
    }

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public String header(String name) {
        return headers.get(name);
    }

    @Override
    public String correlationId() {
        return null;
    }

    @Override
    public String replyTo() {
        return null;
    }

    @Override
    public String coordinates() {
        return "requests-0@7";
    }

    @Override
    public long timestampMillis() {
        return timestampMillis;
    }

    @Override
    public long timeToLiveMillis() {
        return timeToLiveMillis;
    }

    @Override
    public Settlement settlement() {
        return this;
    }

    @Override
    public void acknowledge() {
        settled.complete("acknowledged");
    }

    @Override
    public void release() {
        settled.complete("released");
    }
}
