/** What the cluster, the faults and the oracle need of a simulated broker. Each transport implements it once. */
package io.iocluster.simulation.broker;
