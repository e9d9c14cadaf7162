/**
 * Real brokers for tests, the demo and the bench. {@link io.iocluster.testkit.broker.KafkaBroker#launch} starts one from the
 * class path, with no download but Maven's; where Docker runs, a container can take its place.
 */
package io.iocluster.testkit.broker;
