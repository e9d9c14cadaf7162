/**
 * Reports messages, attempts and publishes to a tracer without using a tracer's types. {@link
 * io.iocluster.trace.Tracing} starts a {@link io.iocluster.trace.MessageTrace} for each message; that starts an {@link
 * io.iocluster.trace.AttemptTrace} for each attempt and a {@link io.iocluster.trace.PublishTrace} for each publish.
 */
package io.iocluster.trace;
