package io.iocluster.door.spool;

import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.ConnectingCalls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.call.QueueCalls;
import io.iocluster.door.call.StoredCall;
import io.iocluster.door.call.StoredCallListener;
import io.iocluster.door.call.StoredUsage;
import io.iocluster.door.call.Submission;
import io.iocluster.door.config.SpoolSettings;
import io.iocluster.message.RequestEncoder;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Stores the calls whose callers do not wait, and forwards them to a queue. Every such call is stored, also while the broker is there, so
 * that an accepted call is safe at any time and calls keep their order. Other calls go to the queue directly. Thread-safe.
 */
public final class SpooledCalls implements Calls {

    /** Time for a broker in service to confirm the last forwarded calls. */
    private static final Duration CONFIRM_WITHIN = Duration.ofSeconds(2);
    /** Time for the first connection, so that a door whose broker is there starts connected. */
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

    private final SpoolSettings settings;
    private final Platform platform;
    private final Spool spool;
    private final ConnectingCalls queue;
    private final RequestEncoder encoder = new RequestEncoder();

    private SpooledCalls(SpoolSettings settings, Spool spool, ConnectingCalls queue, Platform platform) {
        this.platform = platform;
        this.settings = settings;
        this.spool = spool;
        this.queue = queue;
    }

    /**
     * Opens the spool and starts to connect to the broker.
     *
     * @param connector connects to the broker, in the background if that takes long
     * @throws SpoolException if the spool cannot be used; the message is for operators
     */
    public static SpooledCalls open(SpoolSettings settings, ConnectingCalls.Connector connector, Platform platform)
            throws SpoolException {
        Spool spool = Spool.open(settings, platform);
        ConnectingCalls queue = new ConnectingCalls(connector, platform);
        queue.awaitConnected(CONNECT_WITHIN);
        return new SpooledCalls(settings, spool, queue, platform);
    }

    @Override
    public CompletionStage<CallResult> call(DoorCall call) {
        return queue.call(call);
    }

    @Override
    public CompletionStage<Submission> submit(DoorCall call) {
        long now = platform.wallMillis();
        long given = call.envelope().deadlineMs();
        long keep = settings.keep().toMillis();
        return spool.store(new StoredCall(
                call.app(),
                call.id(),
                QueueCalls.queueId(call.id(), platform.uniqueId()),
                call.encoded() == null ? encoder.encode(call.envelope()) : call.encoded(),
                call.trace(),
                now,
                now + (given > 0 ? Math.min(given, keep) : keep)));
    }

    @Override
    public void start(StoredCallListener listener) {
        spool.start(listener, queue);
    }

    @Override
    public Optional<StoredUsage> stored() {
        SpoolStatus status = spool.status();
        return Optional.of(new StoredUsage(
                (long) status.calls() + status.waiting(),
                settings.maxCalls(),
                status.bytes(),
                settings.maxBytes().bytes(),
                status.oldestSeconds()));
    }

    /** Returns the current state of the spool. */
    public SpoolStatus status() {
        return spool.status();
    }

    /** Returns null while the spool can store calls, because it does not need the broker. */
    @Override
    public String problem() {
        return spool.problem();
    }

    @Override
    public void close(Duration timeout) {
        spool.close(queue.isConnected() && timeout.compareTo(CONFIRM_WITHIN) > 0 ? CONFIRM_WITHIN : timeout);
        queue.close(timeout);
    }
}
