/** A small cluster on this machine for load tests and gamedays: a broker, nodes and targets. */
package io.iocluster.lab.load.local;
