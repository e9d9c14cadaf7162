package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.ReplayReader;
import io.iocluster.lab.load.data.ReplayReader.RecordedCall;
import io.iocluster.lab.load.run.CallRecorder.EndListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** The calls of a recording. */
final class ReplayCalls implements PhaseCalls {

    private final ReplayReader reader;
    private final long durationNanos;
    private final Share share;
    private final CallRecorder recorder;
    private final PhaseRecorder phase;
    private final AtomicLong sent = new AtomicLong();
    private RecordedCall prepared;
    private long line;
    private volatile String problem;

    /** Creates the replay and takes over the reader. */
    ReplayCalls(ReplayReader reader, long durationNanos, Share share, CallRecorder recorder, PhaseRecorder phase) {
        this.reader = reader;
        this.durationNanos = durationNanos;
        this.share = share;
        this.recorder = recorder;
        this.phase = phase;
    }

    @Override
    public long nextDueNanos() {
        if (prepared == null && problem == null) {
            try {
                do {
                    prepared = reader.next();
                } while (prepared != null && line++ % share.agents() != share.index());
            } catch (IOException invalid) {
                problem = invalid.getMessage();
            }
        }
        return prepared == null || prepared.dueNanos() > durationNanos ? END : prepared.dueNanos();
    }

    @Override
    public void sendNext(long dueNanos) {
        RecordedCall call = prepared;
        prepared = null;
        sent.incrementAndGet();
        recorder.send(call.call(), dueNanos, phase, EndListener.NONE);
    }

    @Override
    public long dueBefore(long offsetNanos) {
        return sent.get();
    }

    @Override
    public long durationNanos() {
        return durationNanos;
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
