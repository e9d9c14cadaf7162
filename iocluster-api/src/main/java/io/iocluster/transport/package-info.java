/**
 * The transport SPI: a {@link io.iocluster.transport.RequestSource} offers {@link io.iocluster.transport.Delivery
 * deliveries}, each with a single-use {@link io.iocluster.transport.Settlement}, and a {@link
 * io.iocluster.transport.ResponseSink} publishes with confirmation. Every transport passes the same contract suite,
 * {@code io.iocluster.testkit.contract.TransportContract}.
 */
package io.iocluster.transport;
