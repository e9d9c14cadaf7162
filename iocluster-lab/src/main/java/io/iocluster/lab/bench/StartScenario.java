package io.iocluster.lab.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Measures how long a node takes to start, and whether its first calls are as fast as later ones. An installed node starts with its
 * default warm-up, on a warm broker. Calls to a target that takes 100 ms are due at a steady rate from the moment at which
 * {@code /readyz} returns 200.
 */
final class StartScenario implements Scenario {

    /** Maximum ratio of the 99th percentiles of the first seconds and of the steady part. */
    private static final double MAX_RATIO = 1.5;

    /** The first version of Java whose cache has profiles for the JIT compilers. */
    private static final int JAVA_WITH_PROFILES = 25;

    private static final double MAX_READY_SECONDS = 10;

    private static final double MAX_READY_SECONDS_WITH_PROFILES = 6;

    private final InstalledNode node;
    private final int javaVersion;

    /**
     * Creates a scenario.
     *
     * @param home the folder of the distribution
     * @param javaVersion the feature version of Java that the node runs on
     */
    public StartScenario(Path home, int javaVersion) {
        this.node = new InstalledNode(home);
        this.javaVersion = javaVersion;
    }

    @Override
    public String name() {
        return "start";
    }

    /** The naive loop has no warm-up. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        return new StartRun(environment, node, options).measure(round);
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        double ratio = median(all, one -> extra(one, "first p99 ms") / extra(one, "steady p99 ms"));
        double ready = median(all, one -> extra(one, "ready s"));
        double maxReady = javaVersion >= JAVA_WITH_PROFILES ? MAX_READY_SECONDS_WITH_PROFILES : MAX_READY_SECONDS;
        out.printf(
                Locale.ROOT,
                "  first ÷ steady, p50 ms: %.3f%n",
                median(all, one -> extra(one, "first p50 ms") / extra(one, "steady p50 ms")));
        out.printf(
                Locale.ROOT,
                "  first ÷ steady, p99 ms: %.3f; at most %.1f: %s%n",
                ratio,
                MAX_RATIO,
                word(ratio <= MAX_RATIO));
        out.printf(
                Locale.ROOT,
                "  ready after %.2f s; at most %.0f s on Java %d: %s%n",
                ready,
                maxReady,
                javaVersion,
                word(ready <= maxReady));
        return ratio <= MAX_RATIO && ready <= maxReady;
    }

    private static double median(List<Measurement> all, ToDoubleFunction<Measurement> metric) {
        return BenchReport.median(all.stream().map(metric::applyAsDouble).toList());
    }

    private static double extra(Measurement one, String name) {
        return one.extras().get(name);
    }

    private static String word(boolean met) {
        return met ? "met" : "missed";
    }
}
