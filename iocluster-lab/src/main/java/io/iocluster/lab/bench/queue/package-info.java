/** What a scenario needs from a broker: fresh queues, a writer of envelopes and a reader of answers. */
package io.iocluster.lab.bench.queue;
