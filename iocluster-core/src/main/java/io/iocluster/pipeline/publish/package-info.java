/**
 * Builds the answer, dead letter or delayed retry of each ended call, and settles its message after the broker has confirmed it. The
 * {@link io.iocluster.pipeline.outbox} publishes answers and dead letters.
 */
package io.iocluster.pipeline.publish;
