/** What a scenario needs from a broker: new queues, a writer of envelopes and a reader of answers. */
package io.iocluster.lab.bench.queue;
