package io.iocluster.destination;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Sent;
import java.util.List;

/** A call that remembers its pass, and takes its place in a {@link FakeRoom}. */
final class FakeCall implements PendingCall {

    private final FakeRoom room;
    private final long deadlineNanos;
    boolean ended;
    long reserved;
    Pass pass;

    FakeCall(FakeRoom room, long deadlineNanos) {
        this.room = room;
        this.deadlineNanos = deadlineNanos;
    }

    void respond(int status) {
        end(new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE));
    }

    void respondBusy(int status, String retryAfter) {
        Header header = new Header("retry-after", retryAfter);
        end(new HttpResult.Response(status, List.of(header), new byte[0], false, AttemptTiming.NONE));
    }

    void fail(ErrorCode code) {
        end(new HttpResult.Failure(code, "because", Sent.NO, AttemptTiming.NONE));
    }

    private void end(HttpResult result) {
        room.places++;
        room.taken--;
        pass.ended(result);
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
    public boolean tryTakePlace() {
        if (room.places == 0 || room.full) {
            return false;
        }
        room.places--;
        room.taken++;
        return true;
    }

    @Override
    public void admitted(Pass taken) {
        pass = taken;
    }
}
