package io.iocluster.lab.load.local;

/**
 * The ports of a local cluster.
 *
 * @param broker of the Kafka broker
 * @param admin of the first node's admin server; the next nodes have the next ports
 * @param target of all targets, which have different addresses
 */
record LocalPorts(int broker, int admin, int target) {}
