/**
 * Publishes the answer, dead letter or delayed retry of each ended call, and settles its message after the broker has confirmed it. An
 * answer that is not confirmed is published again and never computed again.
 */
package io.iocluster.pipeline.publish;
