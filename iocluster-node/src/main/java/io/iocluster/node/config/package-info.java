/**
 * The configuration: a YAML file, with {@linkplain io.iocluster.node.config.binding.Interpolation interpolation} and {@linkplain
 * io.iocluster.node.config.binding.EnvironmentOverrides overrides by the environment}, bound to a tree of records by {@link
 * io.iocluster.node.config.binding.SettingsBinder}. {@link io.iocluster.node.config.NodeSettings} is the root and the
 * only record that names the sections. Keys, defaults and documentation live in the records. {@link io.iocluster.node.config.BuildInfo} has
 * the version of the program.
 */
package io.iocluster.node.config;
