package io.iocluster.node.problem;

import java.util.concurrent.TimeUnit;

/**
 * The usual level of a figure: an exponential moving average, which hardly follows while the figure is unusual. So an outage of minutes does
 * not become the usual state, and a lasting change does. Confined to one thread.
 */
final class UsualValue {

    private static final double SECONDS = TimeUnit.MINUTES.toSeconds(5);
    private static final double SECONDS_WHILE_UNUSUAL = TimeUnit.HOURS.toSeconds(1);

    private double usual;
    private long nanos;

    /** Begins with this figure. */
    UsualValue(double first, long nowNanos) {
        this.usual = first;
        this.nanos = nowNanos;
    }

    /** Adds the figure of now. */
    void add(double now, boolean unusual, long nowNanos) {
        double passed = (nowNanos - nanos) / 1e9;
        usual += (now - usual) * (1 - Math.exp(-passed / (unusual ? SECONDS_WHILE_UNUSUAL : SECONDS)));
        nanos = nowNanos;
    }

    double get() {
        return usual;
    }
}
