/**
 * What a scenario needs of a broker, and all it knows of one: a {@link io.iocluster.lab.bench.queue.BenchBroker} makes fresh {@link
 * io.iocluster.lab.bench.queue.BenchQueues}, on which {@link io.iocluster.lab.bench.queue.EnvelopeWriter} go in and {@link
 * io.iocluster.lab.bench.queue.AnswerPoller} come out.
 */
package io.iocluster.bench.queue;
