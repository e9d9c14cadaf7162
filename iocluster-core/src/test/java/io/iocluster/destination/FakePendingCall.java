package io.iocluster.destination;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import java.util.List;

/** A call that remembers its pass, and takes its place in a {@link FakeNodeCapacity}. */
public final class FakePendingCall implements PendingCall {

    private final FakeNodeCapacity room;
    private final long deadlineNanos;
    boolean ended;
    long reserved;
    public AttemptPermit pass;

    FakePendingCall(FakeNodeCapacity room, long deadlineNanos) {
        this.room = room;
        this.deadlineNanos = deadlineNanos;
    }

    public void respond(int status) {
        end(new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE));
    }

    void respondBusy(int status, String retryAfter) {
        Header header = new Header("retry-after", retryAfter);
        end(new HttpResult.Response(status, List.of(header), new byte[0], false, AttemptTiming.NONE));
    }

    public void fail(ErrorCode code) {
        end(new HttpResult.Failure(code, "because", SentStatus.NO, AttemptTiming.NONE));
    }

    private void end(HttpResult result) {
        room.places++;
        room.taken--;
        pass.complete(result);
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public long heldBytes() {
        return 100;
    }

    @Override
    public long reservedBytes() {
        return reserved;
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public boolean tryAcquireSlot() {
        if (room.places == 0 || room.full) {
            return false;
        }
        room.places--;
        room.taken++;
        return true;
    }

    @Override
    public void onAdmitted(AttemptPermit taken) {
        pass = taken;
    }
}
