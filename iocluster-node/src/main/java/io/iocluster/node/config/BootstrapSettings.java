package io.iocluster.node.config;

import io.iocluster.settings.Setting;

/** What has to be known of a node's settings before all of them can be: where they come from. */
public record BootstrapSettings(
        @Setting(doc = "Where the configuration comes from.")
        ConfigSettings config) {}
