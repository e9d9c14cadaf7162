/** Simulates targets and the network to them at the level of one HTTP attempt. Change it if the HTTP executor can end in a new way. */
package io.iocluster.simulation.network;
