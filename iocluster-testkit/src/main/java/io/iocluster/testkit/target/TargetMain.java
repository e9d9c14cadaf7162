package io.iocluster.testkit.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Runs a target in a separate process until it is killed. Arguments: the address, the number of threads, {@code detailed} or {@code totals},
 * a file for the ports of HTTP/1.1 and HTTP/2, the folder of the key store for HTTP/2 or {@code -} for none, and further addresses to listen on.
 */
public final class TargetMain {

    private TargetMain() {}

    public static void main(String[] args) throws IOException {
        TargetServer server = TargetServer.start(args[0], 0, Integer.parseInt(args[1]), args[2].equals("detailed"));
        for (String address : List.of(args).subList(5, args.length)) {
            server.listenOn(address);
        }
        int http2Port = args[4].equals("-") ? 0 : server.listenHttp2(new TargetKeyStore(Path.of(args[4])));
        Path portFile = Path.of(args[3]);
        Path written = Files.writeString(
                portFile.resolveSibling(portFile.getFileName() + ".new"), server.port() + " " + http2Port);
        Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
        keepAlive();
    }

    /** Blocks, because the server's threads are daemons. */
    private static void keepAlive() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
