package io.iocluster.node.demo;

/** What a demo needs around the node: a broker with its queues, and a target to call. */
public interface DemoStage extends AutoCloseable {

    /** The configuration of a node that works here, in YAML. */
    String configuration();

    /** The URL to call. */
    String url();

    /** Takes everything down and leaves nothing behind. */
    @Override
    void close();
}
