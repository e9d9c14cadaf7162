package io.iocluster.node.consul;

/** A Consul agent that a test can stop and restart. Owned by one test. */
interface TestAgent extends AutoCloseable {

    /**
     * Starts the Consul executable in the system property {@code iocluster.consul}, or a fake agent if it is not set.
     */
    static TestAgent start() {
        String program = System.getProperty("iocluster.consul", "");
        return program.isEmpty() ? new FakeConsulAgent() : new ConsulAgentProcess(program);
    }

    /** Returns the URL of the HTTP API, which stays the same after a restart. */
    String address();

    /** Stops the agent and closes all connections. */
    void stop();

    /** Restarts the agent with its keys and without its services. */
    void restart();

    @Override
    void close();
}
