/** The brokers of the benchmark: new queues, a writer of envelopes, a reader of answers, and the naive loop on each of them. */
package io.iocluster.lab.bench.broker;
