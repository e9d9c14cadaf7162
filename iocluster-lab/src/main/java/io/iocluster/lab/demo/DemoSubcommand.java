package io.iocluster.lab.demo;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.SubcommandProvider;
import io.iocluster.node.cli.terminal.Terminal;

/** Provides the {@code demo} command. */
public final class DemoSubcommand implements SubcommandProvider {

    @Override
    public Object command(Terminal terminal, BrokerAccess broker) {
        return new DemoCommand(terminal, broker);
    }
}
