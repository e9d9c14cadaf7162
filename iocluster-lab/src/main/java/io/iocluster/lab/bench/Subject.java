package io.iocluster.lab.bench;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.TempDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The program to measure. */
enum Subject {
    NODE {
        @Override
        JavaCommand command(SubjectSetup setup, BenchOptions options, TempDirectory folder) {
            List<String> args = new ArrayList<>(List.of(
                    "run", "--config", setup.writeNodeConfig(options, folder).toString()));
            args.addAll(options.nodeArgs);
            return jvm(options, folder, JavaCommand.classPathFor(Subject.class), NODE_MAIN, args);
        }
    },
    NAIVE {
        @Override
        JavaCommand command(SubjectSetup setup, BenchOptions options, TempDirectory folder) {
            List<String> loop = setup.queues().naiveLoop(setup.maxInFlight(), setup.load());
            // Without an archive of its classes, because tests start it twice, and writing one takes more CPU time than
            // that saves.
            return jvm(options, folder, JavaCommand.ownClassPath(), loop.get(0), loop.subList(1, loop.size()));
        }
    };

    private static final String NODE_MAIN = "io.iocluster.node.Main";

    abstract JavaCommand command(SubjectSetup setup, BenchOptions options, TempDirectory folder);

    /** Returns the name in tables and JSON. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Uses the same JVM flags for all subjects. */
    private static JavaCommand jvm(
            BenchOptions options, TempDirectory folder, String classPath, String main, List<String> args) {
        List<String> flags = new ArrayList<>(options.jvmArgs);
        flags.add(RunningSubject.gcLogOption(folder));
        flags.add(JavaCommand.QUIET_LOGGING_FLAG);
        return new JavaCommand(classPath, flags, main, args, folder.resolve("subject.log"));
    }
}
