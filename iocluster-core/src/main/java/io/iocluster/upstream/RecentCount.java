package io.iocluster.upstream;

/** Counts events of the last 10 to 20 seconds. Guarded by the lock of its {@link UpstreamBalancer}. */
final class RecentCount {

    private static final long BUCKET_NANOS = 10_000_000_000L;

    private long bucketStart;
    private long current;
    private long previous;

    RecentCount(long now) {
        bucketStart = now;
    }

    void add(long now) {
        roll(now);
        current++;
    }

    long sum(long now) {
        roll(now);
        return previous + current;
    }

    private void roll(long now) {
        long age = now - bucketStart;
        if (age < BUCKET_NANOS) {
            return;
        }
        previous = age < 2 * BUCKET_NANOS ? current : 0;
        current = 0;
        bucketStart += age / BUCKET_NANOS * BUCKET_NANOS;
    }
}
