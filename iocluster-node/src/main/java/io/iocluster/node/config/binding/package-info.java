/** Binds YAML, environment variables and overlays to settings records, and reports every error with its key. */
package io.iocluster.node.config.binding;
