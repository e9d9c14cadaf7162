package io.iocluster.node.cli;

import io.iocluster.node.config.NodeSettings.TransportKind;

/** A first configuration with comments. A test loads it. Stateless. */
final class StarterConfiguration {

    private static final String KAFKA = """
            transport: kafka
            kafka:
              bootstrap-servers: 127.0.0.1:9092
              requests: {topics: [iocluster.requests], group: iocluster}
              answers: {topic: iocluster.answers}
              dead-letters: {topic: iocluster.dead-letters}
              # Creates the topics that are missing. Leave it out if you create them yourself.
              create-topics: {enabled: true}
            """;

    private static final String RABBIT = """
            transport: rabbit
            rabbit:
              # Keep the password out of the file: "amqp://user:${RABBIT_PASSWORD}@host:5672"
              uris: ["amqp://127.0.0.1:5672"]
              requests: {queue: iocluster.requests}
              answers: {routing-key: iocluster.answers}
              dead-letters: {queue: iocluster.dead-letters}
              # Declares the queues that are missing. Leave it out if you declare them yourself.
              declare: {enabled: true}
            """;

    private static final String COMMON = """

            # How many calls the node makes at the same time.
            workers:
              max-in-flight: 300

            # Which targets the node may call. Private networks are refused unless you allow them.
            egress:
              schemes: [https, http]
              ports: [80, 443]
              # allow-hosts: ["*.partner.example"]    # if set, only these hosts
              # allow-networks: [10.20.0.0/16]

            # Secrets for targets. An envelope names one in "auth", or a destination in "credential".
            # credentials:
            #   partner-a: {hosts: ["*.partner.example"], bearer: "${PARTNER_TOKEN}"}

            # Limits for one target, so that it cannot slow down the others.
            # destinations:
            #   - {match: ["*.partner.example"], name: partner, max-in-flight: 50, rate: 200/s, credential: partner-a}

            # The node's own HTTP server: status, metrics, console. An address other than loopback requires a token.
            admin:
              host: 127.0.0.1
              port: 8080
              # token: "${ADMIN_TOKEN}"
            """;

    private StarterConfiguration() {}

    static String of(TransportKind transport) {
        return "# yaml-language-server: $schema=" + SchemaCommand.FILE + "\n"
                + "# A first configuration of IOCluster. `iocluster check --config FILE` checks it, docs/configuration.md has every"
                + " key.\n\n"
                + switch (transport) {
                    case KAFKA -> KAFKA;
                    case RABBIT -> RABBIT;
                }
                + COMMON;
    }
}
