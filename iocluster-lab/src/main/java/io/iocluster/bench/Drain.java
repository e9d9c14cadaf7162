package io.iocluster.bench;

/** A full queue and a target that answers at once: how fast, and for how much CPU. */
final class Drain implements Scenario {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public Measurement measure(Lab lab, Subject subject, int round, BenchOptions options) {
        return new Backlog("/ok", options.warmup(), 0, options.requests(), options.maxInFlight())
                .measure(lab, subject, round, options);
    }
}
