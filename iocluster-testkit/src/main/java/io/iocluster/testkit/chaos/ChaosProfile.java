package io.iocluster.testkit.chaos;

import java.util.Set;

/**
 * The length and severity of plans. The same seed gives different plans for different profiles. Immutable.
 *
 * @param durationMillis how long calls are sent; all faults start in this time
 * @param callsPerSecond on average
 * @param faultCount the number of faults
 * @param maxPauseMillis the longest time that a node or broker is suspended or stopped
 * @param faultKinds the faults that the transport supports
 */
public record ChaosProfile(
        int durationMillis, int callsPerSecond, int faultCount, int maxPauseMillis, Set<FaultKind> faultKinds) {

    public ChaosProfile {
        faultKinds = Set.copyOf(faultKinds);
        if (faultKinds.isEmpty()) {
            throw new IllegalArgumentException("faultKinds must not be empty");
        }
    }

    /** Returns the profile of the test suite: a few seconds and short pauses. */
    public static ChaosProfile quick(Set<FaultKind> kinds) {
        return new ChaosProfile(2_500, 150, 3, 1_500, kinds);
    }

    /** Returns the profile of long runs: pauses outlast the broker's session and heartbeat timeouts. */
    public static ChaosProfile thorough(Set<FaultKind> kinds) {
        return new ChaosProfile(15_000, 100, 7, 13_000, kinds);
    }
}
