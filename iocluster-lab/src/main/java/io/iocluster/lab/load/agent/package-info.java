/** Load agents: several processes that share the calls of a run, coordinated over the broker. */
package io.iocluster.lab.load.agent;
