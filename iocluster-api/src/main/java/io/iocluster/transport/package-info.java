/**
 * What a broker has to be for the pipeline: a {@link io.iocluster.transport.RequestSource} that hands over {@link
 * io.iocluster.transport.Delivery deliveries}, each with its single-use {@link io.iocluster.transport.Settlement}, and a
 * {@link io.iocluster.transport.ResponseSink} that publishes with confirmation. Every transport passes the same contract
 * suite, {@code io.iocluster.testkit.contract.TransportContract}.
 */
package io.iocluster.transport;
