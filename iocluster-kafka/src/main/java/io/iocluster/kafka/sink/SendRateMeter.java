package io.iocluster.kafka.sink;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Whether messages come thick and fast, judged anew after each span of time. Any thread. */
final class SendRateMeter {

    private final long spanNanos;
    private final long heavyASecond;
    private final LongAdder inSpan = new LongAdder();
    private final AtomicLong spanStart = new AtomicLong();
    private volatile boolean isHeavy;

    SendRateMeter(long heavyASecond, long spanNanos) {
        this.spanNanos = spanNanos;
        this.heavyASecond = heavyASecond;
    }

    /** Takes note of one more message and says whether the last whole span had many for its length. */
    boolean mark(long now) {
        inSpan.increment();
        long start = spanStart.get();
        if (now - start >= spanNanos && spanStart.compareAndSet(start, now)) {
            isHeavy = inSpan.sumThenReset() * 1e9 / (now - start) >= heavyASecond;
        }
        return isHeavy;
    }
}
