/** Tracks which records of a partition are settled, and stores this in the metadata of offset commits. */
package io.iocluster.kafka.ledger;
