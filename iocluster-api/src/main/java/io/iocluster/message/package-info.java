/**
 * The request envelope ({@link io.iocluster.message.RequestEnvelope}), the answer ({@link io.iocluster.message.Answer})
 * and their JSON encoding. Depends on no broker and no HTTP client, so that clients can use it alone.
 */
package io.iocluster.message;
