/** What every scenario uses: the subjects as processes, paced sending, readings of CPU and memory, and results. */
package io.iocluster.lab.bench.run;
