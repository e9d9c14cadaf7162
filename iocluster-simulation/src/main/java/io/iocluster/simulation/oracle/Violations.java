package io.iocluster.simulation.oracle;

import io.iocluster.testkit.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;

/** Collects the violations of a run. */
final class Violations {

    private static final int MAX = 50;

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

    List<Violation> all() {
        return List.copyOf(all);
    }
}
