/**
 * A transport without a broker: {@link io.iocluster.transport.inprocess.InProcessSource} offers the messages of a queue in this process.
 * The local door, the warm-up of a node and the broker in memory of the tests use it. The contract suite of transports tests it.
 */
package io.iocluster.transport.inprocess;
