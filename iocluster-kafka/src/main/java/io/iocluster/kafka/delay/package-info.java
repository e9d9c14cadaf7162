/** Moves delayed retries to the topic of due retries when their delay is over. */
package io.iocluster.kafka.delay;
