package io.iocluster.node.consul;

/** An agent of Consul's for tests, which can be lost and come back. Owned by one test. */
interface TestAgent extends AutoCloseable {

    /** The real one where the system property {@code iocluster.consul} names its program, and else one that speaks as it does. */
    static TestAgent start() {
        String program = System.getProperty("iocluster.consul", "");
        return program.isEmpty() ? new FakeConsulAgent() : new ConsulAgentProcess(program);
    }

    /** Its HTTP interface, the same for as long as it is owned. */
    String address();

    /** Goes away, with every connection. */
    void stop();

    /** Comes back with the keys that it had and without the services. */
    void restart();

    @Override
    void close();
}
