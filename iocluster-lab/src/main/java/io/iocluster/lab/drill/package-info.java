/**
 * The drill: plays outages against two nodes and measures what an operator sees. Add an outage to {@link io.iocluster.lab.drill.Outage}.
 */
package io.iocluster.lab.drill;
