package io.iocluster.node.cli;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;

/** Adds a command from another module. {@link java.util.ServiceLoader} finds the providers on the class path. */
public interface SubcommandProvider {

    /** Returns an object whose class has picocli's {@code @Command}. */
    Object command(Terminal terminal, BrokerAccess broker);
}
