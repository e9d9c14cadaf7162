/**
 * The tuning advisor, which says what would help a node and may do it: once a second {@link
 * io.iocluster.node.tuning.Advisor} has a {@link io.iocluster.node.tuning.NodeSampler} make an observation, a {@link
 * io.iocluster.node.tuning.TuningPolicy} judges the last of them, and where the settings say so {@link
 * io.iocluster.node.tuning.AutoTuner} does as it says.
 */
package io.iocluster.node.tuning;
