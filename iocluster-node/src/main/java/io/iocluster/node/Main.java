package io.iocluster.node;

import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.cli.Commands;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.thread.Platform;
import java.time.Instant;

/** Entry point of the {@code iocluster} program. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        NettyLeakSampling.configure();
        Instant start = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        System.exit(
                Commands.run(Terminal.ofProcess(), new ConfiguredBrokerAccess(start, Platform.system()), arguments));
    }
}
