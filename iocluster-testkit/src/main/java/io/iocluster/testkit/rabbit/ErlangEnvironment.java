package io.iocluster.testkit.rabbit;

import io.iocluster.testkit.broker.Polling;
import io.iocluster.testkit.process.ChildProcess;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An isolated environment for Erlang nodes: a home folder with their cookie, and a separate port mapper (epmd). Owned
 * by its creator, which closes it after the nodes.
 */
final class ErlangEnvironment implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(2);

    private final TempDirectory folder = new TempDirectory("rabbit");
    private final int mapperPort = FreePorts.find(1)[0];
    private final String cookie = UUID.randomUUID().toString();
    private final ChildProcess mapper;

    ErlangEnvironment() {
        try {
            writeCookie(folder.resolve(".erlang.cookie"), cookie);
            mapper = NativeProcess.start(new NativeCommand(
                    List.of("epmd", "-port", Integer.toString(mapperPort), "-address", "127.0.0.1"),
                    Map.of(),
                    folder.resolve("epmd.log")));
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
        long end = System.nanoTime() + STARTUP.toNanos();
        if (!Polling.pollUntil(end, () -> !mapper.isAlive() || Polling.isListening("127.0.0.1", mapperPort))
                || !mapper.isAlive()) {
            String log = mapper.logTail(10);
            close();
            throw new IllegalStateException("epmd did not start:\n" + log);
        }
    }

    Path resolve(String name) {
        return folder.resolve(name);
    }

    /** Returns the secret by which the nodes recognize each other. */
    String cookie() {
        return cookie;
    }

    /** Returns the environment variables for each Erlang program of this home. */
    Map<String, String> environment() {
        return Map.of(
                "HOME",
                folder.path().toString(),
                "LANG",
                "C.UTF-8",
                "ERL_EPMD_PORT",
                Integer.toString(mapperPort),
                "ERL_EPMD_ADDRESS",
                "127.0.0.1");
    }

    @Override
    public void close() {
        mapper.kill();
        folder.close();
    }

    private static void writeCookie(Path file, String cookie) {
        try {
            Files.writeString(file, cookie);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
