/**
 * The envelopes: what a sender puts on the queue ({@link io.iocluster.message.RequestEnvelope}) and what it reads back
 * ({@link io.iocluster.message.Answer}), and their JSON. Nothing here knows a broker or an HTTP client, so that clients can
 * use it alone.
 */
package io.iocluster.message;
