/**
 * A transport without a broker, for tests of the pipeline: a {@link io.iocluster.testkit.memory.MemoryBroker} that the test
 * holds, and any number of {@link io.iocluster.testkit.memory.MemoryTransport}s on it.
 */
package io.iocluster.testkit.memory;
