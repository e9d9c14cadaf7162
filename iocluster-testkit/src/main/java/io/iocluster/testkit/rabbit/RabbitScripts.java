package io.iocluster.testkit.rabbit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds RabbitMQ's scripts on this machine. Stateless. */
final class RabbitScripts {

    /** Preferred to Debian's wrapper on the {@code PATH}, which requires root and changes the user. */
    private static final Path DEBIAN = Path.of("/usr/lib/rabbitmq/bin");

    private RabbitScripts() {}

    /** Returns the folder of {@code rabbitmq-server} and {@code rabbitmqctl}. */
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
        return folder().orElseThrow(() -> new IllegalStateException("RabbitMQ is not installed;"
                        + " install it (Debian: apt-get install rabbitmq-server) or set its scripts' folder with -D"
                        + RabbitProcess.SCRIPTS_PROPERTY))
                .resolve(script);
    }
}
