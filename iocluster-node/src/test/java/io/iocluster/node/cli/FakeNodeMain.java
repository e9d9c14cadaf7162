package io.iocluster.node.cli;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.FakeBrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.DaemonThreadFactory;

/**
 * The main program with a fake broker, for tests that send it signals. With the system property {@code hang}, it
 * starts a call that the target does not answer, and prints a line when the call is in flight.
 */
public final class FakeNodeMain {

    static final String HANGING = "a call hangs";

    private FakeNodeMain() {}

    public static void main(String[] arguments) {
        FakeBrokerAccess broker = new FakeBrokerAccess();
        if (System.getProperty("hang") != null) {
            hang(broker);
        }
        System.exit(Commands.run(Terminal.ofProcess(), broker, arguments));
    }

    private static void hang(FakeBrokerAccess broker) {
        TargetServer target = TargetServer.start();
        broker.queue().send("{\"url\":\"" + target.url("/never") + "\",\"timeoutMs\":300000,\"deadlineMs\":300000}");
        DaemonThreadFactory.newThread("watch", () -> {
                    // The test ends this process.
                    await().forever().until(() -> target.requestLog().open() == 1);
                    System.out.println(HANGING);
                })
                .start();
    }
}
