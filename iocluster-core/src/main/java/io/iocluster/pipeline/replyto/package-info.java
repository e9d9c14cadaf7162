/** Limits what the reply-tos of envelopes may take from each other. */
package io.iocluster.pipeline.replyto;
