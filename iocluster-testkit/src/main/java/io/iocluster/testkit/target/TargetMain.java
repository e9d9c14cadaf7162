package io.iocluster.testkit.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A target as a process of its own. Arguments: the address, threads, {@code detailed} or {@code totals}, and a file to
 * write the port to.
 * Runs until it is ended.
 */
public final class TargetMain {

    private TargetMain() {}

    public static void main(String[] args) throws IOException {
        TargetServer server = TargetServer.start(args[0], 0, Integer.parseInt(args[1]), args[2].equals("detailed"));
        Path portFile = Path.of(args[3]);
        Path written = Files.writeString(portFile.resolveSibling(portFile.getFileName() + ".new"), "" + server.port());
        Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
        keepAlive();
    }

    /** The server's own threads are daemons, for the sake of tests. */
    private static void keepAlive() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
