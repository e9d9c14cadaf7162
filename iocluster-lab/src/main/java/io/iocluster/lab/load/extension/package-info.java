/** The listeners, faults, metrics and reports of {@code load run}. */
package io.iocluster.lab.load.extension;
