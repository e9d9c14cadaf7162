package io.iocluster.bench;

import io.iocluster.bench.queue.MainCommand;
import io.iocluster.testkit.process.JavaCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is measured. */
enum Subject {
    NODE {
        @Override
        JavaCommand command(SubjectSetup setup, BenchOptions options, Path folder) {
            List<String> args = new ArrayList<>(List.of(
                    "run",
                    "--config",
                    NodeConfig.write(setup, options, folder.resolve(NODE_CONFIG))
                            .toString()));
            args.addAll(options.nodeArgs());
            return jvm(options, folder, NODE_MAIN, args);
        }
    },
    NAIVE {
        @Override
        JavaCommand command(SubjectSetup setup, BenchOptions options, Path folder) {
            MainCommand loop = setup.queues().naiveLoop(setup.maxInFlight(), setup.load());
            return jvm(options, folder, loop.mainClass(), loop.args());
        }
    };

    /** The name of a node's configuration file, in its folder. */
    static final String NODE_CONFIG = "node.yaml";

    private static final String NODE_MAIN = "io.iocluster.node.Main";

    abstract JavaCommand command(SubjectSetup setup, BenchOptions options, Path folder);

    /** As tables and JSON write it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Every subject runs with the same flags. */
    private static JavaCommand jvm(BenchOptions options, Path folder, String main, List<String> args) {
        List<String> flags = new ArrayList<>(options.jvmArgs());
        flags.add("-Xlog:gc:file=" + folder.resolve("gc.log"));
        flags.add(JavaCommand.QUIET);
        return new JavaCommand(JavaCommand.ownClassPath(), flags, main, args, folder.resolve("subject.log"));
    }
}
