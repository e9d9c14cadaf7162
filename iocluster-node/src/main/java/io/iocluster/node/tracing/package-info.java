/**
 * Traces with OpenTelemetry, whose names stop at this package: {@link io.iocluster.node.tracing.OpenTelemetryTracing} makes spans of
 * what the pipeline tells it and sends them away.
 */
package io.iocluster.node.tracing;
