/**
 * The tuning advisor, which recommends a node size and can apply it. Once a second, {@link
 * io.iocluster.node.tuning.Advisor} takes an observation from {@link io.iocluster.node.tuning.NodeSampler}. {@link
 * io.iocluster.node.tuning.TuningPolicy} evaluates the last observations, and {@link
 * io.iocluster.node.tuning.AutoTuner} applies the verdict in mode {@code auto}.
 */
package io.iocluster.node.tuning;
