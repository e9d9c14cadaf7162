/**
 * Tracing with OpenTelemetry. Only this package uses OpenTelemetry's types. {@link
 * io.iocluster.node.tracing.OpenTelemetryTracing} records spans of the pipeline's work and exports them.
 */
package io.iocluster.node.tracing;
