package io.iocluster.lab.bench;

/**
 * A broker to measure on, with its default sizes. The brokers differ in throughput, so each has its own number of calls
 * for the warm-up and for a drain of half a minute.
 */
enum BenchTransport {
    KAFKA(1_000_000, 1_000_000, 1_700),
    RABBIT(300_000, 150_000, 1_000);

    final int requests;
    final int warmup;
    final int rate;

    BenchTransport(int requests, int warmup, int rate) {
        this.requests = requests;
        this.warmup = warmup;
        this.rate = rate;
    }
}
