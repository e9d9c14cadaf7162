/**
 * Publishes each answer and dead letter until the broker confirms it. An answer that is not confirmed is published again and never
 * computed again.
 */
package io.iocluster.pipeline.outbox;
