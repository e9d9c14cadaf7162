/**
 * The configuration while a node runs: {@link io.iocluster.node.reload.ConfigurationWatcher} sees that the file has changed,
 * {@link io.iocluster.node.reload.LiveConfiguration} decides what becomes of it.
 */
package io.iocluster.node.reload;
