package io.iocluster.pipeline;

import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.intake.ProgressMonitor;
import io.iocluster.pipeline.outbox.AnswerOutbox;
import io.iocluster.pipeline.worker.WorkerPool;
import io.iocluster.transport.Transport;
import java.time.Duration;

/** Reads the figures of a pipeline. Thread-safe; does no IO. */
final class PipelineStatusReader {

    private final Transport transport;
    private final InFlightWindow window;
    private final AnswerOutbox outbox;
    private final WorkerPool workers;
    private final ProgressMonitor progress;

    PipelineStatusReader(
            Transport transport,
            InFlightWindow window,
            AnswerOutbox outbox,
            WorkerPool workers,
            ProgressMonitor progress) {
        this.transport = transport;
        this.window = window;
        this.outbox = outbox;
        this.workers = workers;
        this.progress = progress;
    }

    /**
     * Returns a snapshot.
     *
     * @param progressTimeout time without progress after which a full pipeline counts as stalled
     */
    PipelineStatus read(PipelineState state, Duration progressTimeout) {
        return new PipelineStatus(
                state,
                transport.name(),
                window.inFlight(),
                window.maxInFlight(),
                window.waiting(),
                window.unconfirmed(),
                outbox.waitingAnswers(),
                window.bytes(),
                window.maxBytes(),
                workers.workers().stream().map(WorkerStatus::of).toList(),
                workers.replacedWorkers(),
                progress.isStalledFor(progressTimeout),
                transport.source().status());
    }
}
