/**
 * What a broker module implements so that the client can send calls through it. Producers of calls do not use this package.
 */
package io.iocluster.client.spi;
