/**
 * Answers calls from stored responses and from the attempts of identical calls, before their destinations admit them ({@link
 * io.iocluster.pipeline.cache.ResponseCaches}). See docs/cache.md.
 */
package io.iocluster.pipeline.cache;
