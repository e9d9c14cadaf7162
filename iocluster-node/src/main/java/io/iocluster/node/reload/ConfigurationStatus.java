package io.iocluster.node.reload;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * How the settings in use relate to the configuration file.
 *
 * @param file null if the node watches no file
 * @param differs whether the file differs from the settings in use: it was refused, some of its keys wait for a
 *     restart, or the workers were resized
 * @param applied edits applied since the start
 * @param refused edits refused since the start
 * @param lastReload the last applied or refused edit; null before the first
 * @param restartNeeded keys whose new value needs a restart
 * @param hash equal on nodes with the same configuration, except for what belongs to one node: see {@link ConfigurationHash}
 */
public record ConfigurationStatus(
        Path file,
        boolean differs,
        long applied,
        long refused,
        Reload lastReload,
        List<String> restartNeeded,
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
    public record Reload(Instant at, List<String> errors) {

        public Reload {
            errors = List.copyOf(errors);
        }

        public boolean isRefused() {
            return !errors.isEmpty();
        }
    }
}
