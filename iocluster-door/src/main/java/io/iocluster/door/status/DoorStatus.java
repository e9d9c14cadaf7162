package io.iocluster.door.status;

import io.iocluster.door.call.StoredUsage;
import io.iocluster.door.traffic.ProblemStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of a door. Immutable.
 *
 * @param problem why the door is not ready; null if it is
 * @param spool how much of the spool is used; empty if there is none
 * @param apps the apps that are configured or were in use in the last minutes, by name
 */
public record DoorStatus(
        DoorInfo door,
        State state,
        String problem,
        Instant startedAt,
        long uptimeSeconds,
        DoorUsage usage,
        Optional<StoredUsage> spool,
        List<AppRow> apps) {

    /** Whether the door is ready. */
    public enum State {
        READY,
        NOT_READY,
        DRAINING
    }

    /**
     * An app.
     *
     * @param configured whether the app is an entry of {@code door.apps}
     * @param inFlightLimit maximum number of its calls at the same time; null if only the limit of the door applies
     * @param callsPerSecond calls that start each second, a moving average of about ten seconds
     * @param rateLimit the maximum rate, such as {@code 200/s}; null if there is none
     * @param calls calls since the start
     * @param problemsTotal problems that the app got since the start
     * @param problems problems of the last ten minutes
     */
    public record AppRow(
            String name,
            boolean configured,
            int inFlight,
            Integer inFlightLimit,
            double callsPerSecond,
            String rateLimit,
            long calls,
            int keptAnswers,
            long keptBytes,
            int streams,
            long problemsTotal,
            List<ProblemStatus> problems) {

        public AppRow {
            problems = List.copyOf(problems);
        }
    }

    public DoorStatus {
        apps = List.copyOf(apps);
    }
}
