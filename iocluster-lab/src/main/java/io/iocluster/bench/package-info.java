/**
 * Measures the node against a naive loop in the same run, so that the result is a ratio and not a machine's number; or,
 * where the loop promises nothing, against itself. {@link
 * io.iocluster.bench.Bench} runs {@link io.iocluster.bench.Scenario scenarios} over {@link io.iocluster.bench.Subject
 * subjects}; broker, target and subject are processes of their own in a {@link io.iocluster.bench.Lab}. No scenario knows the
 * broker: that stays behind {@link io.iocluster.bench.queue.BenchQueues}.
 */
package io.iocluster.bench;
