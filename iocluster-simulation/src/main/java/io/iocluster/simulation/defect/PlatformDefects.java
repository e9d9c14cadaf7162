package io.iocluster.simulation.defect;

import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.testkit.simulation.Disturbance;

/** Defects of threads and timers. */
final class PlatformDefects {

    private PlatformDefects() {}

    static Wiring losesTimers(Every some) {
        return DefectiveWiring.disturbedBy(new Disturbance() {

            @Override
            public long timerNanos(long nanos) {
                return some.next() ? NEVER : nanos;
            }
        });
    }

    static Wiring firesTimersAfter(double part) {
        return DefectiveWiring.disturbedBy(new Disturbance() {

            @Override
            public long timerNanos(long nanos) {
                return (long) (nanos * part);
            }
        });
    }

    static Wiring runsTasks(int times, Every some) {
        return DefectiveWiring.disturbedBy(new Disturbance() {

            @Override
            public int runs() {
                return some.next() ? times : 1;
            }
        });
    }

    static Wiring losesWakeUps(Every some) {
        return DefectiveWiring.disturbedBy(new Disturbance() {

            @Override
            public boolean losesWakeUp() {
                return some.next();
            }
        });
    }
}
