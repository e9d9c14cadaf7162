package io.iocluster.lab.load.local;

import java.io.IOException;

/** The broker of a local cluster. Confined to one thread. */
interface BrokerMember extends Member, AutoCloseable {

    /** The brokers of which a local cluster can have one. */
    enum Kind {
        KAFKA(9092),
        RABBIT(5672);

        private final int defaultPort;

        Kind(int defaultPort) {
            this.defaultPort = defaultPort;
        }

        int defaultPort() {
            return defaultPort;
        }

        /**
         * Starts a broker.
         *
         * @throws IOException if it does not start; the message is for the user
         */
        BrokerMember start(int port) throws IOException {
            return this == KAFKA ? new KafkaMember(port) : new RabbitMember(port);
        }
    }

    @Override
    default String name() {
        return "broker";
    }

    /** Returns the settings with which a node uses the broker, in YAML. */
    String nodeSettings();

    @Override
    void close();
}
