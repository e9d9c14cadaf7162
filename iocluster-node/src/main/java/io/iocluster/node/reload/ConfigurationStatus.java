package io.iocluster.node.reload;

import io.iocluster.status.StatusField;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * How the settings in use relate to the configuration file.
 *
 * @param differs because it was refused, some of its keys wait for a restart, or the workers were resized
 * @param lastReload the last applied or refused edit; null before the first
 * @param hash see {@link ConfigurationHash}
 */
public record ConfigurationStatus(
        @StatusField(nullable = true, doc = "null if the node has no file")
        Path file,

        @StatusField(doc = "whether the file differs from the running configuration")
        boolean differs,

        @StatusField(doc = "edits applied since the start") long applied,
        @StatusField(doc = "edits refused since the start") long refused,
        @StatusField(nullable = true) Reload lastReload,

        @StatusField(doc = "changed keys that need a restart")
        List<String> restartNeeded,

        @StatusField(doc = "equal on nodes with the same configuration, apart from what belongs to one node")
        String hash) {

    public ConfigurationStatus {
        restartNeeded = List.copyOf(restartNeeded);
    }

    /** Returns the status of a node that has just started. */
    static ConfigurationStatus initial(String hash) {
        return new ConfigurationStatus(null, false, 0, 0, null, List.of(), hash);
    }

    /**
     * The result of an edit.
     *
     * @param errors why it was refused; empty if it was applied
     */
    public record Reload(
            @StatusField Instant at, @StatusField List<String> errors) {

        public Reload {
            errors = List.copyOf(errors);
        }

        public boolean isRefused() {
            return !errors.isEmpty();
        }

        @StatusField(values = {"applied", "refused"})
        String result() {
            return isRefused() ? "refused" : "applied";
        }
    }
}
