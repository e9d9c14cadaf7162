package io.iocluster.lab.load.command;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.SubcommandProvider;
import io.iocluster.node.cli.terminal.Terminal;

/** Provides the {@code load} command. */
public final class LoadSubcommand implements SubcommandProvider {

    @Override
    public Object command(Terminal terminal, BrokerAccess broker) {
        return LoadCommand.create(terminal, broker);
    }
}
