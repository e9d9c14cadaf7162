/**
 * The simplest broker that keeps the promises every transport relies on: at-least-once delivery, confirms, and delayed messages. Change it
 * if the transport SPI changes.
 */
package io.iocluster.simulation.queue;
