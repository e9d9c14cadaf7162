package io.iocluster.kafka;

/** Whether messages come thick and fast, judged anew over each span of time. Confined to the publisher thread. */
final class Load {

    private final long spanNanos;
    private final long heavy;
    private long spanStart;
    private long inSpan;
    private boolean isHeavy;

    Load(long heavyASecond, long spanNanos) {
        this.spanNanos = spanNanos;
        this.heavy = heavyASecond * spanNanos / 1_000_000_000;
    }

    /** Takes note of messages and says whether the last whole span had many. */
    boolean isHeavy(int messages, long now) {
        inSpan += messages;
        if (now - spanStart >= spanNanos) {
            isHeavy = inSpan >= heavy;
            inSpan = 0;
            spanStart = now;
        }
        return isHeavy;
    }
}
