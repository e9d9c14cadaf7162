/**
 * Real brokers for tests, the demo and the bench. {@link io.iocluster.testkit.kafka.KafkaBroker#launch} starts one from the
 * class path, with no download but Maven's, {@link io.iocluster.testkit.rabbit.RabbitBroker#launch} from what is installed, {@link
 * io.iocluster.testkit.rabbit.RabbitCluster#launch} several of them as one; where Docker runs, a container can take a broker's place.
 */
package io.iocluster.testkit.broker;
