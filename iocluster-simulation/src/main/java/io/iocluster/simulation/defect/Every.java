package io.iocluster.simulation.defect;

/** Selects every nth event. Confined to the thread of the simulation. */
final class Every {

    private final int n;
    private int count;

    Every(int n) {
        this.n = n;
    }

    boolean next() {
        return ++count % n == 0;
    }
}
