/** Clocks that a test controls. */
package io.iocluster.testkit.time;
