/**
 * The source of a share group (KIP-932), in which several nodes read the same partition. Each member of the group locks
 * the records of one poll and acknowledges each when it is settled.
 */
package io.iocluster.kafka.share;
