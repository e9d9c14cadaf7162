/**
 * Runs nodes with the real pipeline against a simulated broker and simulated targets: the calls, the faults, and the schedule of both that a
 * seed gives. Change it to add a kind of call or of fault.
 */
package io.iocluster.simulation.cluster;
