/** What a run needs from the reports, the faults and the metrics, which implement these interfaces. */
package io.iocluster.lab.load.spi;
