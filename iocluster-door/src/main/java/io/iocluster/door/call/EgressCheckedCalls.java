package io.iocluster.door.call;

import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.Outcome;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.SentStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Rejects calls that the egress policy of the door forbids at once, with the answer that a node would give. The node checks all calls
 * again, and alone checks the addresses of names and the branches of an envelope with several calls. Thread-safe.
 */
public final class EgressCheckedCalls implements Calls {

    private final Calls allowed;
    private volatile EgressPolicy policy;
    private final String door;
    private final AnswerEncoder encoder = new AnswerEncoder();

    /**
     * Creates the check.
     *
     * @param allowed makes the calls that the policy allows; closed with this object
     * @param door the id of the door, for its answers
     */
    public EgressCheckedCalls(Calls allowed, EgressPolicy policy, String door) {
        this.allowed = allowed;
        this.policy = policy;
        this.door = door;
    }

    @Override
    public CompletionStage<CallResult> call(DoorCall call) {
        return rejection(call.envelope())
                .<CompletionStage<CallResult>>map(
                        rejection -> CompletableFuture.completedFuture(rejected(call, rejection)))
                .orElseGet(() -> allowed.call(call));
    }

    @Override
    public CompletionStage<Submission> submit(DoorCall call) {
        return rejection(call.envelope())
                .<CompletionStage<Submission>>map(rejection -> CompletableFuture.completedFuture(
                        new Submission.Started(CompletableFuture.completedFuture(rejected(call, rejection)))))
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

    private CallResult rejected(DoorCall call, Rejection rejection) {
        Answer answer = new Answer(
                call.id(),
                Outcome.REJECTED,
                0,
                List.of(),
                new byte[0],
                false,
                new CallError(rejection.code(), rejection.message(), SentStatus.NO),
                0,
                door,
                Timing.NONE,
                call.envelope().context());
        return new Answered(encoder.encode(answer), call.trace());
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
