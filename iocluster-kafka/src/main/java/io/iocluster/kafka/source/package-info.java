/**
 * Polls request records, hands them to the pipeline and commits offsets. Confined to the poll thread unless a type says
 * otherwise.
 */
package io.iocluster.kafka.source;
