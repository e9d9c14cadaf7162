package io.iocluster.lab.bench;

/**
 * A broker to measure on. What it drains a second differs by a factor, and so do the sizes by which the JVM settles and a round is
 * over in seconds.
 */
enum BenchTransport {
    KAFKA(300_000, 1_000_000, 1_700),
    RABBIT(150_000, 150_000, 1_000);

    private final int requests;
    private final int warmup;
    private final int rate;

    BenchTransport(int requests, int warmup, int rate) {
        this.requests = requests;
        this.warmup = warmup;
        this.rate = rate;
    }

    int requests() {
        return requests;
    }

    int warmup() {
        return warmup;
    }

    int rate() {
        return rate;
    }
}
