/**
 * The limits of one destination: circuit breaker, rate limit, adaptive concurrency. The only package that imports
 * Resilience4j and concurrency-limits.
 */
package io.iocluster.destination.limit;
