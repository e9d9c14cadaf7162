/**
 * Real brokers for tests, the demo and the bench. {@link io.iocluster.testkit.broker.KafkaBroker#launch} starts one from the
 * class path, with no download but Maven's, {@link io.iocluster.testkit.broker.RabbitBroker#launch} from what is installed, {@link
 * io.iocluster.testkit.broker.RabbitCluster#launch} several of them as one; where Docker runs, a container can take a broker's place.
 */
package io.iocluster.testkit.broker;
