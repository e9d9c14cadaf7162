package io.iocluster.destination;

import io.iocluster.http.Certainty;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.usable.Usability;
import java.util.List;

/** A call that takes its slot from a {@link FakeNodeCapacity}. */
public final class FakePendingCall implements PendingCall {

    private final long deadlineNanos;
    public final CallPermit permit;
    /** How often its destination has asked for its deadline. */
    int visits;

    FakePendingCall(FakeNodeCapacity node, long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
        this.permit = new CallPermit(node, 100);
    }

    public void respond(int status) {
        end(new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE));
    }

    public void respond(int status, Usability usability) {
        end(new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE, usability));
    }

    void respondBusy(int status, String retryAfter) {
        Header header = new Header("retry-after", retryAfter);
        end(new HttpResult.Response(status, List.of(header), new byte[0], false, AttemptTiming.NONE));
    }

    public void fail(ErrorCode code) {
        end(new HttpResult.Failure(code, "because", Certainty.NOT_SENT, AttemptTiming.NONE));
    }

    private void end(HttpResult result) {
        permit.completeAttempt(result);
        permit.awaitRetry();
    }

    @Override
    public CallPermit permit() {
        return permit;
    }

    @Override
    public long deadlineNanos() {
        visits++;
        return deadlineNanos;
    }

    @Override
    public long queuedBytes() {
        return 100;
    }
}
