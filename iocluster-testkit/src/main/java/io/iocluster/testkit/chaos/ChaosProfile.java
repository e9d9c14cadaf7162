package io.iocluster.testkit.chaos;

import java.util.EnumSet;
import java.util.Set;

/**
 * The length and severity of plans. The same seed gives another plan with another profile.
 *
 * @param lengthMillis how long calls are sent; faults begin in this time
 * @param callsPerSecond on average
 * @param faults how many there are
 * @param longestPauseMillis the longest time that a node or broker is suspended or stopped
 * @param kinds the faults that the transport knows
 */
public record ChaosProfile(
        int durationMillis, int callsPerSecond, int faultCount, int maxPauseMillis, Set<FaultKind> faultKinds) {

    public ChaosProfile {
        faultKinds = Set.copyOf(faultKinds);
        if (faultKinds.isEmpty()) {
            throw new IllegalArgumentException("kinds must not be empty");
        }
    }

    /** Returns the profile of the suite: a few seconds, short pauses and no third node. */
    public static ChaosProfile quick(Set<FaultKind> kinds) {
        EnumSet<FaultKind> quick = EnumSet.copyOf(kinds);
        quick.remove(FaultKind.ADD_NODE);
        return new ChaosProfile(2_500, 150, 3, 1_500, quick);
    }

    /** Returns the profile of long runs: pauses outlast the broker's session and heartbeat timeouts. */
    public static ChaosProfile thorough(Set<FaultKind> kinds) {
        return new ChaosProfile(15_000, 100, 7, 13_000, kinds);
    }
}
