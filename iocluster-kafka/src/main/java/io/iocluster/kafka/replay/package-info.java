/**
 * Reads dead letters and replays them in Kafka transactions. {@link io.iocluster.kafka.replay.ReplayedOffsets} records in
 * the dead-letter topic which of them were replayed.
 */
package io.iocluster.kafka.replay;
