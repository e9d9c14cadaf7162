/**
 * The SPI that a broker module implements for the client. Applications do not use this package.
 */
package io.iocluster.client.spi;
