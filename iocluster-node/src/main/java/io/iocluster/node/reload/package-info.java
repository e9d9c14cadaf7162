/**
 * Reload of the configuration while a node runs. {@link io.iocluster.node.reload.ConfigurationWatcher} detects changes
 * of the file. {@link io.iocluster.node.reload.LiveConfiguration} applies or refuses them.
 */
package io.iocluster.node.reload;
