package io.iocluster.door.local;

import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.DoorCall;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.SyntheticDelivery;
import io.iocluster.transport.TraceContext;
import java.util.concurrent.CompletableFuture;

/** A call as a message of the pipeline. Its result completes once; later ones are ignored. Thread-safe. */
final class LocalDelivery implements SyntheticDelivery, Settlement {

    private final DoorCall call;
    private final byte[] payload;
    private final String appHeader;
    private final long createdMillis;
    private final CompletableFuture<CallResult> result = new CompletableFuture<>();

    LocalDelivery(DoorCall call, byte[] payload, String appHeader, long createdMillis) {
        this.createdMillis = createdMillis;
        this.call = call;
        this.payload = payload;
        this.appHeader = appHeader;
    }

    CompletableFuture<CallResult> result() {
        return result;
    }

    void answer(byte[] answer, TraceContext trace) {
        result.complete(CallResult.of(answer, trace == null ? call.trace() : trace));
    }

    void fail(Reason reason, String message) {
        result.complete(new Failed(reason, message));
    }

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public String header(String name) {
        TraceContext trace = call.trace();
        return switch (name) {
            case TraceContext.TRACEPARENT -> trace == null ? null : trace.traceparent();
            case TraceContext.TRACESTATE -> trace == null ? null : trace.tracestate();
            default -> name.equals(appHeader) ? call.app() : null;
        };
    }

    @Override
    public String coordinates() {
        return call.id();
    }

    @Override
    public String queue() {
        return LocalQueue.NAME;
    }

    @Override
    public long timestampMillis() {
        return createdMillis;
    }

    @Override
    public long timeToLiveMillis() {
        return call.deadline().toMillis();
    }

    @Override
    public Settlement settlement() {
        return this;
    }

    /** Ends a call that has no result yet, which only a defect can cause. */
    @Override
    public void acknowledge() {
        fail(Reason.DEAD_LETTER, "the call ended without an answer");
    }

    @Override
    public void release() {
        fail(Reason.UNAVAILABLE, "the door stopped before the call ended; the target may have received it");
    }
}
