package io.iocluster.node.config;

import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;

/** What is counted. */
public record MetricsSettings(
        @Setting(
                value = "100",
                doc = "Most destinations, the busiest, that the label `destination` names besides the configured ones;"
                        + " the others are counted together as `other`.")
        int destinations) {

    public MetricsSettings {
        new Mistakes().between("destinations", destinations, 0, 10_000).raise();
    }
}
