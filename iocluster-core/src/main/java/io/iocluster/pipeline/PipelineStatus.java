package io.iocluster.pipeline;

import io.iocluster.transport.SourceStatus;
import java.util.List;

/**
 * A pipeline as it stands.
 *
 * @param transport the transport's word
 * @param calls open now
 * @param bytes held by them
 * @param replacedWorkers how many workers died and were replaced since the start
 */
public record PipelineStatus(
        PipelineState state,
        String transport,
        int calls,
        int maxCalls,
        long bytes,
        long maxBytes,
        List<WorkerStatus> workers,
        long replacedWorkers,
        SourceStatus source) {

    public PipelineStatus {
        workers = List.copyOf(workers);
    }

    /** One worker's load and connections. */
    public record WorkerStatus(String name, int inFlight, int activeConnections, int idleConnections) {}
}
