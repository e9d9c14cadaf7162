/** What every scenario uses: subjects as processes, paced sending, CPU and memory meters, and results. */
package io.iocluster.lab.bench.run;
