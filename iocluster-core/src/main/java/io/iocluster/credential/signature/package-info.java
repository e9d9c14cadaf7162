/**
 * Signs requests. A {@link io.iocluster.credential.signature.RequestSigner} runs for each attempt, after all other headers are set, so that
 * it signs what is sent.
 */
package io.iocluster.credential.signature;
