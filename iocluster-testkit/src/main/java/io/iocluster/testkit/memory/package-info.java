/**
 * An in-memory transport for tests of the pipeline: the test owns a {@link io.iocluster.testkit.memory.MemoryBroker}
 * with any number of {@link io.iocluster.testkit.memory.MemoryTransport}s.
 */
package io.iocluster.testkit.memory;
