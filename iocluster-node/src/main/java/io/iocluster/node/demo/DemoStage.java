package io.iocluster.node.demo;

/** What a demo needs around the node: a broker with its queues, and a target to call. */
public interface DemoStage extends AutoCloseable {

    /** The configuration of a node that works here, in YAML. */
    String configuration();

    /** The broker's address, as its clients take it. */
    String broker();

    /** The URL to call. */
    String url();

    /** Takes everything down and leaves nothing behind. */
    @Override
    void close();
}
