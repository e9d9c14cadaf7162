/** Moves delayed requests back to the request topic when they are due. */
package io.iocluster.kafka.delay;
