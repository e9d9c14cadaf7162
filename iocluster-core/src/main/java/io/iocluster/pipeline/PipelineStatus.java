package io.iocluster.pipeline;

import io.iocluster.transport.SourceStatus;
import java.util.List;

/**
 * A pipeline as it stands.
 *
 * @param transport the transport's word
 * @param calls open now
 * @param waiting what counts towards {@code workers.max-waiting}: calls that wait for their turn, and messages whose several
 *     calls have not all ended
 * @param unconfirmed calls that have ended and whose answers the broker has not confirmed
 * @param waitingAnswers unconfirmed answers that wait for reply places that are slow or refuse them
 * @param bytes held by all three
 * @param replacedWorkers how many workers died and were replaced since the start
 * @param stuck whether the node refuses messages and has made no progress for {@code workers.progress-timeout}
 */
public record PipelineStatus(
        PipelineState state,
        String transport,
        int inFlight,
        int maxInFlight,
        int waiting,
        int unconfirmed,
        int waitingAnswers,
        long inFlightBytes,
        long maxInFlightBytes,
        List<WorkerStatus> workers,
        long replacedWorkers,
        boolean stuck,
        SourceStatus source) {

    public PipelineStatus {
        workers = List.copyOf(workers);
    }

    /** One worker's load and connections. */
    public record WorkerStatus(String name, int inFlight, int activeConnections, int idleConnections) {}
}
