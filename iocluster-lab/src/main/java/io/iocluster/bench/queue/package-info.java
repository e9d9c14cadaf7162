/**
 * What a scenario needs of a broker, and all it knows of one: a {@link io.iocluster.bench.queue.BenchBroker} makes fresh {@link
 * io.iocluster.bench.queue.BenchQueues}, on which {@link io.iocluster.bench.queue.Envelopes} go in and {@link
 * io.iocluster.bench.queue.Answers} come out.
 */
package io.iocluster.bench.queue;
