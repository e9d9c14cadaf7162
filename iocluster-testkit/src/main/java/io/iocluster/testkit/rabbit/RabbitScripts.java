package io.iocluster.testkit.rabbit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds RabbitMQ's own scripts on this machine. Has no state. */
final class RabbitScripts {

    /** Debian's {@code rabbitmq-server} on the {@code PATH} wants to be root and becomes another user; these do neither. */
    private static final Path DEBIAN = Path.of("/usr/lib/rabbitmq/bin");

    private RabbitScripts() {}

    /** The folder of {@code rabbitmq-server} and {@code rabbitmqctl}. */
    static Optional<Path> folder() {
        String given = System.getProperty(RabbitProcess.SCRIPTS_PROPERTY);
        if (given != null) {
            return Optional.of(Path.of(given));
        }
        Stream<Path> path = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(Path::of);
        return Stream.concat(Stream.of(DEBIAN), path)
                .filter(folder -> Files.isExecutable(folder.resolve("rabbitmq-server")))
                .findFirst();
    }

    static Path find(String script) {
        return folder().orElseThrow(() -> new IllegalStateException("RabbitMQ is not installed here"
                        + " (Debian: apt-get install rabbitmq-server); elsewhere name its scripts' folder by -D"
                        + RabbitProcess.SCRIPTS_PROPERTY))
                .resolve(script);
    }
}
