/**
 * Measures the node against a naive loop in the same run, so that the result is a ratio and not a machine's number; or,
 * where the loop promises nothing, against itself. {@link
 * io.iocluster.lab.bench.Bench} runs {@link io.iocluster.lab.bench.run.Scenario scenarios} over {@link io.iocluster.lab.bench.run.Subject
 * subjects}; broker, target and subject are processes of their own in a {@link io.iocluster.lab.bench.run.BenchEnvironment}. No scenario knows the
 * broker: that stays behind {@link io.iocluster.lab.bench.queue.BenchQueues}.
 */
package io.iocluster.bench;
