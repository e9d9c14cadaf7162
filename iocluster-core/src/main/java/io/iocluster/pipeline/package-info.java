/**
 * Composes the path of a message through a node. {@link io.iocluster.pipeline.Pipeline} connects the packages below it: {@link
 * io.iocluster.pipeline.intake} accepts a message, its {@linkplain io.iocluster.pipeline.call call} waits at its destination, {@link
 * io.iocluster.pipeline.worker} attempts it, {@link io.iocluster.pipeline.publish} builds its answer, {@link
 * io.iocluster.pipeline.outbox} publishes the answer, and then the message is settled. Everything that these packages hold counts against
 * {@link io.iocluster.pipeline.capacity}. A pipeline takes its clocks, threads and event loops from its creator, so that it also runs in one
 * thread on virtual time.
 */
package io.iocluster.pipeline;
