package io.iocluster.door.status;

import io.iocluster.door.call.StoredUsage;
import io.iocluster.door.status.DoorUsage.Usage;
import io.iocluster.door.traffic.ProblemStatus;
import io.iocluster.status.StatusField;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of a door: the response of {@code GET /v1/status}. Immutable.
 *
 * @param apps the apps that are configured or were in use in the last minutes, by name
 */
public record DoorStatus(
        @StatusField(inline = true) DoorInfo door,
        @StatusField State state,

        @StatusField(nullable = true, doc = "Why the door is not ready.")
        String problem,

        @StatusField Instant startedAt,
        @StatusField long uptimeSeconds,
        @StatusField(inline = true) DoorUsage usage,
        @StatusField(doc = "Only with a spool.") Optional<SpoolUsage> spool,
        @StatusField List<AppRow> apps) {

    /** Whether the door is ready. */
    public enum State {
        READY,
        NOT_READY,
        DRAINING
    }

    /** How much of the store of calls is used. */
    public record SpoolUsage(
            @StatusField(doc = "Age of the oldest of them; 0 if there is none.")
            double oldestSeconds,

            @StatusField(doc = "Calls that are stored, or that wait for their answers.")
            Usage calls,

            @StatusField(doc = "Size of the calls that the broker has not confirmed.")
            Usage bytes) {

        static SpoolUsage of(StoredUsage stored) {
            return new SpoolUsage(
                    stored.oldestSeconds(),
                    new Usage(stored.calls(), stored.maxCalls()),
                    new Usage(stored.bytes(), stored.maxBytes()));
        }
    }

    /**
     * An app.
     *
     * @param inFlightLimit maximum number of its calls at the same time; null if only the limit of the door applies
     * @param callsPerSecond calls that start each second
     * @param rateLimit the maximum rate; null if there is none
     */
    public record AppRow(
            @StatusField(
                    doc = "`unknown` for callers without a valid name or token, `other` for apps that are not counted"
                            + " separately.")
            String name,

            @StatusField(doc = "Whether the app is in `door.apps`.")
            boolean configured,

            @StatusField int inFlight,
            @StatusField(nullable = true) Integer inFlightLimit,

            @StatusField(decimals = 1, doc = "A moving average of about ten seconds.")
            double callsPerSecond,

            @StatusField(nullable = true, doc = "Such as `200/s`.")
            String rateLimit,

            @StatusField(doc = "Since the start.") long calls,
            @StatusField int keptAnswers,
            @StatusField long keptBytes,
            @StatusField int streams,
            @StatusField(doc = "Since the start.") long problemsTotal,

            @StatusField(doc = "Those of the last ten minutes, by code.")
            List<ProblemStatus> problems) {

        public AppRow {
            problems = List.copyOf(problems);
        }
    }

    public DoorStatus {
        apps = List.copyOf(apps);
    }
}
