package io.iocluster.door.local;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.message.RequestEncoder;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineParts;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Transport;
import io.iocluster.transport.inprocess.InProcessSource;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Makes calls in this process, through the pipeline of a node. Owns the pipeline. Thread-safe. */
public final class LocalCalls implements Calls {

    private final LocalQueue queue;
    private final InProcessSource<LocalDelivery> source;
    private final Pipeline pipeline;
    private final String appHeader;
    private final NodeClock clock;
    private final RequestEncoder encoder = new RequestEncoder();

    /**
     * Creates the pipeline. Calls wait until it is {@linkplain #start started}.
     *
     * @param stores opens the store of the cache that nodes share, if the settings have one
     * @param maxOpen maximum number of calls that wait for the pipeline
     */
    public LocalCalls(
            PipelineSettings settings,
            PipelineEvents events,
            Tracing tracing,
            SharedStore.Factory stores,
            int maxOpen,
            Platform platform) {
        this.queue = new LocalQueue(maxOpen);
        this.source = new InProcessSource<>("iocluster-local-source", queue, platform);
        this.clock = platform;
        this.appHeader = settings.producers().header();
        PipelineParts parts = PipelineParts.of(settings, events, stores, platform);
        this.pipeline =
                new Pipeline(settings, Transport.of(LocalQueue.NAME, source, queue), events, tracing, parts, platform);
    }

    /** Starts the pipeline. */
    public void start() {
        pipeline.start();
    }

    @Override
    public CompletionStage<CallResult> call(DoorCall call) {
        byte[] payload = call.encoded() == null ? encoder.encode(call.envelope()) : call.encoded();
        LocalDelivery delivery = new LocalDelivery(call, payload, appHeader, clock.wallMillis());
        queue.submit(delivery);
        source.wake();
        return delivery.result();
    }

    /** Returns the pipeline, for its status and metrics. */
    public Pipeline pipeline() {
        return pipeline;
    }

    @Override
    public String problem() {
        PipelineStatus status = pipeline.status();
        if (status.state() != PipelineState.RUNNING) {
            return "the pipeline is " + status.state().wireName();
        }
        return status.stuck() ? "the door is full; no call ended within workers.progress-timeout" : null;
    }

    @Override
    public void close(Duration timeout) {
        pipeline.drain(timeout, () -> {});
    }
}
