package io.iocluster.node.config;

import io.iocluster.settings.Setting;

/** The part of the settings that the node reads first: where the rest of the configuration comes from. */
public record BootstrapSettings(
        @Setting(doc = "Sources of the configuration.") ConfigSettings config) {}
