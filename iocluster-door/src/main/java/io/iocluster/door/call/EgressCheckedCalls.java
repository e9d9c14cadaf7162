package io.iocluster.door.call;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.message.RequestEnvelope;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Rejects calls that the egress policy of the door forbids, before a node sees them. The node checks all calls again. Only the node checks
 * the addresses of names and the branches of an envelope with several calls. Thread-safe.
 */
public final class EgressCheckedCalls implements Calls {

    private final Calls allowed;
    private volatile EgressPolicy policy;

    /**
     * Creates the check.
     *
     * @param allowed makes the calls that the policy allows; closed with this object
     */
    public EgressCheckedCalls(Calls allowed, EgressPolicy policy) {
        this.allowed = allowed;
        this.policy = policy;
    }

    @Override
    public CompletionStage<CallResult> call(DoorCall call) {
        return rejection(call.envelope())
                .<CompletionStage<CallResult>>map(rejection -> CompletableFuture.completedFuture(rejected(rejection)))
                .orElseGet(() -> allowed.call(call));
    }

    @Override
    public CompletionStage<Submission> submit(DoorCall call) {
        return rejection(call.envelope())
                .<CompletionStage<Submission>>map(
                        rejection -> CompletableFuture.completedFuture(new Submission.Refused(rejected(rejection))))
                .orElseGet(() -> allowed.submit(call));
    }

    @Override
    public void start(StoredCallListener listener) {
        allowed.start(listener);
    }

    @Override
    public Optional<StoredUsage> stored() {
        return allowed.stored();
    }

    /** Replaces the policy. */
    public void update(EgressPolicy next) {
        policy = next;
    }

    private Optional<Rejection> rejection(RequestEnvelope envelope) {
        if (envelope.scatter() != null) {
            return Optional.empty();
        }
        EgressPolicy current = policy;
        Optional<Rejection> request = current.check(envelope.method(), envelope.headers());
        if (request.isPresent()) {
            return request;
        }
        return current.checkUrl(envelope.url()) instanceof Rejection rejection
                ? Optional.of(rejection)
                : Optional.empty();
    }

    private static CallResult.Failed rejected(Rejection rejection) {
        return CallResult.rejected(rejection.code().wireName(), rejection.message());
    }

    @Override
    public String problem() {
        return allowed.problem();
    }

    @Override
    public void close(Duration timeout) {
        allowed.close(timeout);
    }
}
