package io.iocluster.node.demo;

/** What a demo needs around the node: a broker with its queues, and a target to call. */
public interface DemoEnvironment extends AutoCloseable {

    /** The configuration of a node that works here, in YAML. */
    String nodeConfiguration();

    /** The broker's address, as its clients take it. */
    String brokerAddress();

    /** The URL to call. */
    String targetUrl();

    /** Takes everything down and leaves nothing behind. */
    @Override
    void close();
}
