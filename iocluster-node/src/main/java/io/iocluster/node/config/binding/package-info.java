/** Reads YAML, environment variables and overlays into settings records, and reports every mistake with its key. */
package io.iocluster.node.config.binding;
