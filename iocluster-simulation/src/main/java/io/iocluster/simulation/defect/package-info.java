/**
 * Defects that are planted on purpose, to prove that the oracle sees them. Each replaces a part of a node from outside, at the interface of
 * a transport, the HTTP client, the platform or the settings. Add one to {@link io.iocluster.simulation.defect.PlantedDefect}.
 */
package io.iocluster.simulation.defect;
