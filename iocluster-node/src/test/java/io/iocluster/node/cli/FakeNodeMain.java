package io.iocluster.node.cli;

import io.iocluster.node.FakeBroker;

/** The program on a fake broker, for tests that end it by a signal; the system property {@code hang} leaves calls open. */
public final class FakeNodeMain {

    private FakeNodeMain() {}

    public static void main(String[] arguments) {
        FakeBroker broker = new FakeBroker();
        if (System.getProperty("hang") != null) {
            broker.runtime().hang();
        }
        System.exit(Commands.run(Terminal.ofProcess(), broker, arguments));
    }
}
