/** Counts what happened recently. Every other package may use this one. */
package io.iocluster.recent;
