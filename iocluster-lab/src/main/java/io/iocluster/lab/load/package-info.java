/** The {@code load} command: load tests and gamedays. */
package io.iocluster.lab.load;
