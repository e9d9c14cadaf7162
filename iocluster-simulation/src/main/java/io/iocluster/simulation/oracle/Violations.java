package io.iocluster.simulation.oracle;

import io.iocluster.testkit.simulation.Simulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects the violations of a run. */
final class Violations {

    private static final int MAX = 50;
    private static final int STACK_LINES = 8;

    private final Simulation simulation;
    private final List<Violation> all = new ArrayList<>();

    Violations(Simulation simulation) {
        this.simulation = simulation;
    }

    void add(Promise promise, String what) {
        if (all.size() < MAX) {
            all.add(new Violation(promise, simulation.millis(), what));
        }
        simulation.trace().add("oracle", () -> promise + " violated: " + what);
    }

    /** Returns the first lines of a stack. */
    static List<StackTraceElement> firstFrames(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace()).limit(STACK_LINES).toList();
    }

    List<Violation> all() {
        return List.copyOf(all);
    }
}
