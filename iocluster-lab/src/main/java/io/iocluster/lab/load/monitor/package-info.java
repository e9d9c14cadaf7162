/** What happens beside the calls of a run, each on its own thread: metrics are read, and faults start and end. */
package io.iocluster.lab.load.monitor;
