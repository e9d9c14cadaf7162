package io.iocluster.node.reload;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * How what a node runs with stands to its file.
 *
 * @param file null for a node that follows none
 * @param differs whether the file says something else than what runs: it was refused, keys of it wait for the next start, or
 *     the workers were resized since
 * @param applied edits that were taken up since the start
 * @param refused edits that were not
 * @param last null before the first of either
 * @param restartNeeded the keys that have another value from the next start on
 */
public record ConfigurationStatus(
        Path file, boolean differs, long applied, long refused, Reload lastReload, List<String> restartNeeded) {

    public ConfigurationStatus {
        restartNeeded = List.copyOf(restartNeeded);
    }

    /** What holds for a node that has just started. */
    static ConfigurationStatus initial() {
        return new ConfigurationStatus(null, false, 0, 0, null, List.of());
    }

    /**
     * What became of an edit.
     *
     * @param mistakes why it was refused; empty if it was taken up
     */
    public record Reload(Instant at, List<String> errors) {

        public Reload {
            errors = List.copyOf(errors);
        }

        public boolean isRefused() {
            return !errors.isEmpty();
        }
    }
}
