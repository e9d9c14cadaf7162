package io.iocluster.lab.demo;

/** Broker with its topics or queues, and target server of a demo. The creator closes it. */
public interface DemoEnvironment extends AutoCloseable {

    /** Returns the YAML configuration for a node in this environment. */
    String nodeConfiguration();

    /** Returns the address of the broker, in the form that its clients take. */
    String brokerAddress();

    /** Returns the URL that the demo calls. */
    String targetUrl();

    /** Stops the broker and the target, and deletes their files. */
    @Override
    void close();
}
