/** Figures of the system under test that are read during a run at intervals: the nodes' status and PromQL. */
package io.iocluster.lab.load.metric;
